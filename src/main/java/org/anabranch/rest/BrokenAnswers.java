package org.anabranch.rest;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/**
 * Breaks off, with its connection, an answer that fails when part of it is on its way. The framework would write the error behind
 * that part and end the answer properly, so that it passed for a whole one.
 */
public final class BrokenAnswers {

    private static final Logger LOG = Logger.getLogger(BrokenAnswers.class);

    @ServerResponseFilter
    public void breakOff(ContainerResponseContext answer, RoutingContext exchange) {
        if (exchange.response().headWritten()) {
            LOG.debugf("An answer to %s is broken off: %s", exchange.request().uri(), answer.getEntity());
            exchange.request().connection().close();
            answer.setEntity(null);
        }
    }
}
