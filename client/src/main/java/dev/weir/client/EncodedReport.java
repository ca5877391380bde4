package dev.weir.client;

import dev.weir.api.WireJson;
import dev.weir.api.Work.ModuleStatusUpdate;
import dev.weir.api.Work.WorkClaim;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A report as it is sent. The thread of the handler encodes it, so that the thread that sends a batch only joins texts.
 *
 * @param json one entry of {@code updates}
 */
record EncodedReport(String json, boolean failure) {
    static EncodedReport failed(WorkClaim claim, String error, boolean permanent) {
        return of(ModuleStatusUpdate.failed(claim, LogBuffer.sanitize(error), permanent));
    }

    static EncodedReport of(ModuleStatusUpdate report) {
        return new EncodedReport(
                WireJson.STRICT.writeValueAsString(report), report.result().equals("failed"));
    }

    /** Returns a report with an output. An output that is no JSON is a permanent failure. */
    static EncodedReport withOutput(WorkClaim claim, String result, @Nullable Object output) {
        String text;
        try {
            text = PayloadJson.write(output);
        } catch (JacksonException e) {
            return failed(
                    claim, "expected an output that can be written as JSON, found " + e.getOriginalMessage(), true);
        }
        String head = WireJson.STRICT.writeValueAsString(new ModuleStatusUpdate(
                claim.run(), claim.step(), claim.item(), claim.fence(), result, null, null, null, null));
        return new EncodedReport(head.substring(0, head.length() - 1) + ",\"output\":" + text + "}", false);
    }

    /** Returns its size in UTF-8, or a little more. */
    int bytes() {
        return Utf8Length.of(json);
    }
}
