package dev.weir.engine.call;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** A range of IP addresses, such as {@code 10.0.0.0/8}. */
final class AddressRange {
    private final byte[] first;
    /** The number of leading bits that the addresses of the range share. */
    private final int bits;

    private AddressRange(byte[] first, int bits) {
        if (bits < 0 || bits > first.length * Byte.SIZE) {
            throw new IllegalArgumentException(
                    "expected a network prefix of 0 to " + first.length * Byte.SIZE + " bits, found " + bits);
        }
        this.first = first;
        this.bits = bits;
    }

    /** Parses {@code ADDRESS/BITS}, or an address alone. The address must be a literal, never a name. */
    static AddressRange of(String text) {
        int slash = text.indexOf('/');
        String address = slash < 0 ? text : text.substring(0, slash);
        if (!UrlHost.isAddress(address)) {
            throw new IllegalArgumentException("expected an address such as 10.0.0.0/8 or fd00::/8, found " + text);
        }
        try {
            byte[] first = bytes(address);
            int bits = slash < 0 ? first.length * Byte.SIZE : Integer.parseInt(text.substring(slash + 1));
            return new AddressRange(first, bits);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("expected a number of bits after the slash, found " + text, e);
        }
    }

    /** Parses an address. An IPv6 address that contains an IPv4 address keeps its sixteen bytes. */
    static byte[] bytes(String address) {
        try {
            if (address.indexOf(':') >= 0) {
                return Ipv6Address.parse(address);
            }
            return InetAddress.getByName(address).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("expected an address, found " + address, e);
        }
    }

    boolean contains(byte[] address) {
        if (address.length != first.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        if (!Arrays.equals(address, 0, whole, first, 0, whole)) {
            return false;
        }
        int rest = bits % Byte.SIZE;
        int mask = 0xff << (Byte.SIZE - rest);
        return rest == 0 || (address[whole] & mask) == (first[whole] & mask);
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(first).getHostAddress() + "/" + bits;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("expected 4 or 16 bytes, found " + first.length, e);
        }
    }
}
