package dev.weir.core.reading;

/** A place in a text; lines and columns are counted from 1. */
public record Position(int line, int column) {
    static final Position START = new Position(1, 1);
}
