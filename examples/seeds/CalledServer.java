import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/**
 * A local HTTP server that Weir calls: {@code java CalledServer.java}. It prints its address. A call of {@code /NAME} waits
 * until the door of that name lets it through. {@code /control/NAME} shows how many calls wait there now, the most that
 * ever waited at once, and the number of all calls; {@code /control/NAME/open} opens the door, and {@code
 * /control/NAME/one} lets one call through.
 */
final class CalledServer {
    private static final Map<String, Door> DOORS = new ConcurrentHashMap<>();

    private static final class Door {
        private boolean open;
        private int passes;
        private int inside;
        private int most;
        private int calls;

        synchronized void enter() throws InterruptedException {
            inside++;
            calls++;
            most = Math.max(most, inside);
            while (!open && passes == 0) {
                wait();
            }
            passes -= open ? 0 : 1;
            inside--;
        }

        synchronized void open() {
            open = true;
            notifyAll();
        }

        synchronized void letOneThrough() {
            passes++;
            notifyAll();
        }

        @Override
        public synchronized String toString() {
            return inside + " " + most + " " + calls;
        }
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", CalledServer::handle);
        server.start();
        System.out.println("http://127.0.0.1:" + server.getAddress().getPort());
    }

    private static void handle(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/");
        boolean isControl = path[1].equals("control");
        Door door = DOORS.computeIfAbsent(path[isControl ? 2 : 1], name -> new Door());
        exchange.getRequestBody().readAllBytes();
        if (isControl && path.length > 3) {
            switch (path[3]) {
                case "open" -> door.open();
                case "one" -> door.letOneThrough();
                default -> throw new IOException("unknown: " + path[3]);
            }
        } else if (!isControl) {
            try {
                door.enter();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        byte[] answer = (isControl ? door.toString() : "{\"done\":true}").getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", isControl ? "text/plain" : "application/json");
        exchange.sendResponseHeaders(200, answer.length);
        exchange.getResponseBody().write(answer);
        exchange.close();
    }
}
