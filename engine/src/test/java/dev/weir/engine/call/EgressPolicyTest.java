package dev.weir.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("R3.11")
class EgressPolicyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.8",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::127.0.0.1",
                "::ffff:127.0.0.1",
                "::ffff:10.0.0.1",
                "::ffff:a9fe:a9fe",
                "64:ff9b::127.0.0.1",
                "64:ff9b::a00:1",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:0:7f00:1::",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:a00:1::1",
                "3fff::1",
                "5f00::1",
                "fc00::1",
                "fd00::1",
                "fd12:3456::1",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "4000::1",
                "::ffff:0:127.0.0.1"
            })
    void an_address_outside_the_public_internet_is_refused(String address) {
        assertThat(EgressPolicy.PUBLIC.refusal("host", 80, AddressRange.bytes(address)))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.1",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "192.0.1.1",
                "192.167.255.255",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700:4700::1111",
                "2a00:1450::1",
                "2001:4860:4860::8888",
                "::ffff:8.8.8.8",
                "64:ff9b::808:808"
            })
    void the_public_internet_may_be_called(String address) {
        assertThat(EgressPolicy.PUBLIC.refusal("host", 80, AddressRange.bytes(address)))
                .isEmpty();
    }

    @Test
    void an_operator_allows_hosts_ports_and_networks_and_nothing_else() {
        var policy = new EgressPolicy(List.of("10.1.0.0/16", "billing.internal:8080", "fd00:1::/32", "127.0.0.1:9000"));
        assertThat(policy.refusal("a", 80, AddressRange.bytes("10.1.2.3"))).isEmpty();
        assertThat(policy.refusal("a", 80, AddressRange.bytes("::ffff:10.1.2.3")))
                .isEmpty();
        assertThat(policy.refusal("a", 80, AddressRange.bytes("10.2.0.1"))).isPresent();
        assertThat(policy.refusal("Billing.Internal", 8080, AddressRange.bytes("10.9.9.9")))
                .isEmpty();
        assertThat(policy.refusal("billing.internal", 8081, AddressRange.bytes("10.9.9.9")))
                .isPresent();
        assertThat(policy.refusal("a", 80, AddressRange.bytes("fd00:1::5"))).isEmpty();
        assertThat(policy.refusal("a", 80, AddressRange.bytes("fd00:2::5"))).isPresent();
        assertThat(policy.refusal("127.0.0.1", 9000, AddressRange.bytes("127.0.0.1")))
                .isEmpty();
        assertThat(policy.refusal("127.0.0.1", 9001, AddressRange.bytes("127.0.0.1")))
                .isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.0/33", "10.0.0.0/x", "10.0.0/8", "a b", "", "host:port", "http://host"})
    void an_allowed_entry_that_cannot_be_read_is_refused(String entry) {
        assertThatThrownBy(() -> new EgressPolicy(List.of(entry))).isInstanceOf(IllegalArgumentException.class);
    }
}
