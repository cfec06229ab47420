package org.anabranch.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.AbstractIterator;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.anabranch.api.v2.EntriesResponse;
import org.anabranch.api.v2.EntriesResponse.Entry;
import org.anabranch.api.v2.NextPage;
import org.anabranch.api.v2.ReferenceBody;
import org.anabranch.model.CommitId;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.Reference;
import org.anabranch.store.StoreUnavailableException;
import org.junit.jupiter.api.Test;

/** A listing that fails while it is written must not look like a shorter listing. */
@QuarkusTest
class BrokenAnswerTest {

    @TestHTTPResource("/broken/")
    URI broken;

    /** Fails behind a number of entries. */
    @Path("/broken/{entries}")
    public static class BrokenListing {

        @GET
        @Produces(MediaType.APPLICATION_JSON)
        public EntriesResponse entries(@PathParam("entries") int entries) {
            return new EntriesResponse(
                    ReferenceBody.of(new Reference.Detached(CommitId.NO_ANCESTOR)),
                    new AbstractIterator<>() {
                        private int taken;

                        @Override
                        protected Entry computeNext() {
                            if (taken++ == entries) {
                                throw new StoreUnavailableException("gone", null);
                            }
                            return new Entry(
                                    ContentType.UDF,
                                    ContentKey.of("k" + taken),
                                    ContentId.parse("11111111-2222-3333-4444-555555555555"),
                                    null);
                        }
                    },
                    NextPage.of(Optional::empty));
        }
    }

    private HttpResponse<String> get(int entries) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(broken.resolve(Integer.toString(entries)))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    @Test
    void isAnErrorWhileNothingWasSent() throws Exception {
        HttpResponse<String> response = get(1);
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.body()).contains("SERVICE_UNAVAILABLE");
    }

    @Test
    void isNoJsonOnceItIsOnItsWay() {
        assertThatThrownBy(() -> new ObjectMapper().readTree(get(100_000).body()))
                .isInstanceOf(IOException.class);
    }
}
