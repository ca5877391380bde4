package dev.weir.bench;

/** The entry point of the {@code weir bench} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("weir");
    }
}
