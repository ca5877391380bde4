package dev.weir.core.reading;

/** A position in a text. Lines and columns start at 1. */
public record TextPosition(int line, int column) {
    static final TextPosition START = new TextPosition(1, 1);
}
