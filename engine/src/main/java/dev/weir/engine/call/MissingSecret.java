package dev.weir.engine.call;

/** A step names a secret that nobody has set. Trying again would be in vain until somebody does. */
public final class MissingSecret extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MissingSecret(String name) {
        super("expected a secret named " + name + ", found none; whoever runs the node can set it");
    }
}
