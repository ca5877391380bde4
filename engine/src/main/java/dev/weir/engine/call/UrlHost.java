package dev.weir.engine.call;

import java.util.regex.Pattern;

/**
 * Checks the host of a URL. It accepts one spelling of each kind: a name of letters, digits and hyphens, four decimal
 * numbers, or an IPv6 address. A spelling that some resolvers read as an address and others as a name is refused.
 */
final class UrlHost {
    private static final int NAME_CHARS_MAX = 253;
    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?");
    private static final Pattern IPV4 = Pattern.compile(
            "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(\\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}");

    private UrlHost() {}

    static boolean isIpv4(String text) {
        return IPV4.matcher(text).matches();
    }

    static boolean isIpv6(String text) {
        if (text.indexOf(':') < 0) {
            return false;
        }
        try {
            Ipv6Address.parse(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static boolean isAddress(String text) {
        return isIpv4(text) || isIpv6(text);
    }

    /** True if the text is a name that no resolver takes for a number. A dot at its end is allowed. */
    static boolean isName(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
            return false;
        }
        String[] labels = name.split("\\.", -1);
        for (String label : labels) {
            if (!LABEL.matcher(label).matches()) {
                return false;
            }
        }
        // Resolvers read a name as a decimal, octal or hexadecimal number by its last label.
        return Character.isLetter(labels[labels.length - 1].charAt(0));
    }

    static boolean isHexDigit(int c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    }
}
