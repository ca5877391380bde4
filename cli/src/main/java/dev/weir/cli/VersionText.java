package dev.weir.cli;

import java.io.IOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Weir, which the build writes into a resource, and that of Java. */
final class VersionText implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        var build = new Properties();
        try (var in = VersionText.class.getResourceAsStream("build.properties")) {
            if (in == null) {
                throw new IllegalStateException("build.properties is missing next to " + VersionText.class);
            }
            build.load(in);
        }
        return new String[] {"weir " + build.getProperty("version") + " (Java " + Runtime.version() + ")"};
    }
}
