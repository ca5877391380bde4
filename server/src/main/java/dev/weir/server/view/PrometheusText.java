package dev.weir.server.view;

/** Writes gauges in the text format of Prometheus. Label values may contain any character. */
final class PrometheusText {
    private final StringBuilder text = new StringBuilder();
    private String name = "";

    /** Begins a metric. The samples that follow belong to it. */
    void metric(String newName, String help) {
        name = newName;
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(" gauge\n");
    }

    /** Writes a sample with one label. */
    void sample(String label, String value, Number number) {
        text.append(name);
        text.append('{').append(label).append("=\"").append(escape(value)).append("\"} ");
        text.append(number).append('\n');
    }

    /** Writes a sample with two labels. */
    void sample(String label, String value, String secondLabel, String secondValue, Number number) {
        text.append(name);
        text.append('{').append(label).append("=\"").append(escape(value)).append("\",");
        text.append(secondLabel).append("=\"").append(escape(secondValue)).append("\"} ");
        text.append(number).append('\n');
    }

    private static String escape(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
