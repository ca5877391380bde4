package dev.weir.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The option for the output format. Commands include it as a {@code @Mixin}. */
final class OutputOptions {
    /** The output format: {@code text} is for people and may change; {@code json} is for programs, in snake_case. */
    enum Format {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        static final class Reader implements ITypeConverter<Format> {
            @Override
            public Format convert(String value) {
                return switch (value) {
                    case "text" -> TEXT;
                    case "json" -> JSON;
                    default -> throw new TypeConversionException("expected text or json, found '" + value + "'");
                };
            }
        }
    }

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = Format.Reader.class,
            description = "The output format: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Format format = Format.TEXT;

    Format format() {
        return format;
    }
}
