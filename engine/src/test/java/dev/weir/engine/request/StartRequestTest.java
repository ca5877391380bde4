package dev.weir.engine.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

class StartRequestTest {
    @Test
    void a_later_change_of_the_input_does_not_change_the_request() {
        ObjectNode input = JsonNodeFactory.instance.objectNode().put("n", 1);
        var request = StartRequest.of("r", "w", input);
        input.put("n", 2);

        assertThat(request.input().get("n").intValue()).isEqualTo(1);
    }

    @Test
    void requests_whose_numbers_differ_only_in_java_type_are_equal() {
        var one =
                StartRequest.of("r", "w", JsonNodeFactory.instance.objectNode().put("n", 5L));
        var other =
                StartRequest.of("r", "w", JsonNodeFactory.instance.objectNode().put("n", (short) 5));

        assertThat(one).isEqualTo(other);
    }
}
