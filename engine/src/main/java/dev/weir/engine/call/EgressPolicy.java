package dev.weir.engine.call;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The addresses that calls may reach: the public internet, and what the operator allows in addition.
 *
 * @param allowed additional hosts, {@code host:port} pairs and networks
 */
public record EgressPolicy(List<String> allowed) {
    public static final EgressPolicy PUBLIC = new EgressPolicy(List.of());

    /** The IPv4 ranges that are not the public internet. */
    private static final List<AddressRange> DENIED_IPV4 = networks(
            "0.0.0.0/8", // this network
            "10.0.0.0/8", // private
            "100.64.0.0/10", // carrier-grade NAT
            "127.0.0.0/8", // loopback
            "169.254.0.0/16", // link-local; cloud metadata
            "172.16.0.0/12", // private
            "192.0.0.0/24", // protocol assignments
            "192.0.2.0/24", // documentation
            "192.31.196.0/24", // AS112
            "192.52.193.0/24", // AMT
            "192.88.99.0/24", // 6to4 relays
            "192.168.0.0/16", // private
            "192.175.48.0/24", // AS112
            "198.18.0.0/15", // benchmarks
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // reserved, broadcast

    /** The only range of IPv6 that is the public internet, except for {@link #DENIED_IPV6}. */
    private static final AddressRange GLOBAL_IPV6 = AddressRange.of("2000::/3");
    /** The parts of {@link #GLOBAL_IPV6} that are not the public internet. */
    private static final List<AddressRange> DENIED_IPV6 = networks(
            "2001::/23", // protocol assignments, including Teredo
            "2001:db8::/32", // documentation
            "2002::/16", // 6to4, which contains an IPv4 address
            "2620:4f:8000::/48", // AS112
            "3fff::/20"); // documentation

    /** The IPv6 ranges whose addresses contain an IPv4 address in their last four bytes. */
    private static final List<AddressRange> IPV4_EMBEDDING_RANGES = networks("::ffff:0:0/96", "64:ff9b::/96");

    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;

    public EgressPolicy {
        allowed = allowed.stream().map(entry -> check(entry.trim())).toList();
    }

    /** The reason why an address may not be called; absent if it may. */
    Optional<String> refusal(String host, int port, byte[] address) {
        if (allows(host, port, address)) {
            return Optional.empty();
        }
        byte[] unwrapped = unwrapIpv4(address);
        if (unwrapped.length == IPV4_BYTES) {
            return DENIED_IPV4.stream()
                    .filter(network -> network.contains(unwrapped))
                    .findFirst()
                    .map(network -> "its address is in " + network + ", which is not the public internet");
        }
        if (!GLOBAL_IPV6.contains(unwrapped)) {
            return Optional.of("its address is outside of " + GLOBAL_IPV6 + ", the public internet");
        }
        return DENIED_IPV6.stream()
                .filter(network -> network.contains(unwrapped))
                .findFirst()
                .map(network -> "its address is in " + network + ", which is not the public internet");
    }

    private boolean allows(String host, int port, byte[] address) {
        String name = host.toLowerCase(Locale.ROOT);
        byte[] unwrapped = unwrapIpv4(address);
        for (String entry : allowed) {
            if (entry.equals(name) || entry.equals(name + ":" + port)) {
                return true;
            }
            if (isNetwork(entry) && AddressRange.of(entry).contains(unwrapped)) {
                return true;
            }
        }
        return false;
    }

    /** The IPv4 address that an IPv6 address contains, or the address itself. */
    private static byte[] unwrapIpv4(byte[] address) {
        if (address.length == IPV6_BYTES
                && IPV4_EMBEDDING_RANGES.stream().anyMatch(network -> network.contains(address))) {
            return java.util.Arrays.copyOfRange(address, IPV6_BYTES - IPV4_BYTES, IPV6_BYTES);
        }
        return address;
    }

    private static boolean isNetwork(String entry) {
        int slash = entry.indexOf('/');
        return UrlHost.isAddress(slash < 0 ? entry : entry.substring(0, slash));
    }

    private static String check(String entry) {
        if (isNetwork(entry)) {
            return AddressRange.of(entry).toString();
        }
        String name = entry.replaceFirst(":[0-9]{1,5}$", "");
        if (!UrlHost.isName(name) && !UrlHost.isAddress(name)) {
            throw new IllegalArgumentException(
                    "allowed: expected a host, host:port, address or network such as 10.1.0.0/16, found " + entry);
        }
        return entry.toLowerCase(Locale.ROOT);
    }

    private static List<AddressRange> networks(String... texts) {
        return List.of(texts).stream().map(AddressRange::of).toList();
    }
}
