import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.StringJoiner;

/**
 * Prints the rows of a query on the embedded PostgreSQL of a data directory:
 * {@code java Sql.java DIRECTORY QUERY [LOGIN PASSWORD]}.
 */
final class Sql {
    private static final int PORT_LINE = 3;
    private static final int LOGIN = 2;

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        String port = Files.readAllLines(directory.resolve("data").resolve("postmaster.pid"))
                .get(PORT_LINE)
                .strip();
        boolean hasLogin = arguments.length > LOGIN;
        String login = hasLogin ? arguments[LOGIN] : "postgres";
        String password = hasLogin
                ? arguments[LOGIN + 1]
                : Files.readString(directory.resolve("password")).strip();
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/weir?currentSchema=weir";
        try (var connection = DriverManager.getConnection(url, login, password);
                var statement = connection.createStatement();
                var rows = statement.executeQuery(arguments[1])) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                var line = new StringJoiner(" ");
                for (int i = 1; i <= columns; i++) {
                    line.add(rows.getString(i));
                }
                System.out.println(line);
            }
        }
    }
}
