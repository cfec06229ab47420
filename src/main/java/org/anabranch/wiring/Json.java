package org.anabranch.wiring;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.anabranch.api.v2.ApiJson;

/** Gives the framework the API's own configuration of Jackson. */
public final class Json {

    @Produces
    @Singleton
    ObjectMapper mapper() {
        return ApiJson.newMapper();
    }
}
