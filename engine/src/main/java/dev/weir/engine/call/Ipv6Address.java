package dev.weir.engine.call;

import java.util.Arrays;

/** Parses IPv6 addresses. Java's own parser turns those that contain an IPv4 address into one of four bytes. */
final class Ipv6Address {
    private static final int BYTES = 16;
    private static final int GROUPS = 8;

    private Ipv6Address() {}

    /** Returns the sixteen bytes; throws if the text is no IPv6 address. A zone is not accepted. */
    static byte[] parse(String text) {
        int gap = text.indexOf("::");
        if (gap < 0) {
            byte[] all = groups(text, text);
            return all.length == BYTES ? all : refuse(text);
        }
        byte[] head = groups(text.substring(0, gap), text);
        byte[] tail = groups(text.substring(gap + 2), text);
        if (head.length + tail.length >= BYTES) {
            return refuse(text);
        }
        byte[] address = Arrays.copyOf(head, BYTES);
        System.arraycopy(tail, 0, address, BYTES - tail.length, tail.length);
        return address;
    }

    private static byte[] groups(String part, String text) {
        if (part.isEmpty()) {
            return new byte[0];
        }
        String[] groups = part.split(":", -1);
        byte[] bytes = new byte[2 * (GROUPS + 1)];
        int length = 0;
        for (int i = 0; i < groups.length; i++) {
            if (length + 2 > BYTES) {
                return refuse(text);
            }
            if (i == groups.length - 1 && groups[i].indexOf('.') >= 0) {
                byte[] ipv4 = ipv4(groups[i], text);
                System.arraycopy(ipv4, 0, bytes, length, ipv4.length);
                length += ipv4.length;
            } else {
                int group = group(groups[i], text);
                bytes[length] = (byte) (group >> Byte.SIZE);
                bytes[length + 1] = (byte) group;
                length += 2;
            }
        }
        return length <= BYTES ? Arrays.copyOf(bytes, length) : refuse(text);
    }

    private static int group(String digits, String text) {
        if (digits.isEmpty() || digits.length() > 4 || !digits.chars().allMatch(UrlHost::isHexDigit)) {
            refuse(text);
        }
        return Integer.parseInt(digits, 16);
    }

    private static byte[] ipv4(String part, String text) {
        return UrlHost.isIpv4(part) ? AddressRange.bytes(part) : refuse(text);
    }

    private static byte[] refuse(String text) {
        throw new IllegalArgumentException("expected an IPv6 address, found " + text);
    }
}
