package dev.weir.cli.browser;

import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/** Checks a page in both sizes and colours, and takes a picture of each. */
final class Pictures {
    private Pictures() {}

    static void take(ConsoleTab tab, String address, String name) throws IOException {
        tab.open(address);
        for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            for (int width : List.of(ConsoleTab.WIDE, ConsoleTab.NARROW)) {
                tab.show(width, colours);
                tab.assertAccessible();
                tab.assertNothingCutOff();
                tab.shoot(name + "-" + width + "-" + colours.name().toLowerCase(Locale.ROOT));
            }
        }
        tab.show(ConsoleTab.WIDE, ColorScheme.LIGHT);
        tab.assertNoFaults();
    }
}
