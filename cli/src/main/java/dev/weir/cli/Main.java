package dev.weir.cli;

/** The entry point of the {@code weir} command. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.out.println("weir");
    }
}
