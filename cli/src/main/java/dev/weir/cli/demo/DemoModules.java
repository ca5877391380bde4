package dev.weir.cli.demo;

import dev.weir.client.Client;
import dev.weir.client.Handler;
import dev.weir.client.Job;
import dev.weir.client.Worker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The modules of the demonstration. They take time as real ones would, and compute nothing. */
final class DemoModules {
    /** The tables in the warehouse by tenant: one tenant is large, one is small. */
    private static final Map<String, Integer> TABLES = Map.of("acme", 24, "globex", 8, "initech", 2);

    private static final int CONCURRENCY = 24;
    private static final String DECLINED = "declined";

    private DemoModules() {}

    /** A step's input that names an order. */
    record Order(int order) {}

    record Charge(int order, double total, String card) {}

    record Photo(String batch, int photo) {}

    record Query(String tenant, String table) {}

    record Tenant(String tenant) {}

    /** The output of the step that reserves goods. */
    record Reservation(List<String> parcels) {}

    static Worker start(Client client) {
        return Worker.of(client)
                .module("inventory.reserve", Order.class, DemoModules::reserve)
                .module("payments.charge", Charge.class, DemoModules::charge)
                .module("shipping.label", job -> work(job, 900))
                .module("images.list", job -> work(job, 600))
                .module("images.resize", Photo.class, DemoModules::resize)
                .module("images.sheet", job -> work(job, 1_500))
                .module("reports.tables", Tenant.class, DemoModules::tables)
                .module("reports.query", Query.class, DemoModules::query)
                .module("reports.publish", job -> work(job, 400))
                .name("demo")
                .concurrency(CONCURRENCY)
                .grace(Duration.ofSeconds(5))
                .start();
    }

    private static Reservation reserve(Order order, Job job) throws InterruptedException {
        work(job, 400);
        return new Reservation(IntStream.rangeClosed(1, 2 + order.order() % 3)
                .mapToObj(parcel -> "order " + order.order() + ", parcel " + parcel)
                .toList());
    }

    private static Object charge(Charge charge, Job job) throws InterruptedException {
        job.log("charging " + charge.total() + " for order " + charge.order());
        work(job, 1_500);
        if (charge.card().equals(DECLINED)) {
            throw new Handler.Permanent("The payment provider declined the card: insufficient funds.");
        }
        job.log("the payment provider accepted the charge");
        return Map.of("receipt", "R-" + charge.order());
    }

    private static Object resize(Photo photo, Job job) throws InterruptedException {
        job.log("resizing photo " + photo.photo() + " of " + photo.batch());
        work(job, 1_200 + 130 * (photo.photo() % 9));
        return Map.of("file", photo.batch() + "/" + photo.photo() + ".webp");
    }

    private static List<String> tables(Tenant tenant, Job job) throws InterruptedException {
        work(job, 200);
        return IntStream.rangeClosed(1, TABLES.getOrDefault(tenant.tenant(), 4))
                .mapToObj(number -> "table_" + number)
                .toList();
    }

    private static Object query(Query query, Job job) throws InterruptedException {
        work(job, 1_000);
        return Map.of("table", query.table(), "rows", 1_000 + query.table().length() * 37);
    }

    /** Takes time. A cancel ends it early. */
    private static Object work(Job job, long milliseconds) throws InterruptedException {
        long slices = milliseconds / 100;
        for (long i = 0; i < slices && !job.cancelRequested(); i++) {
            Thread.sleep(100);
        }
        return Map.of("milliseconds", milliseconds);
    }
}
