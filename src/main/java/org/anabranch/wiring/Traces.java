package org.anabranch.wiring;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.instrumentation.jdbc.datasource.JdbcTelemetry;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Spans of what happens below a request, if the service is traced; none otherwise. Safe from many threads. */
final class Traces {

    static final Traces OFF = new Traces(null);

    private static final Part UNTRACED = new Part() {
        @Override
        public void note(String name, long value) {}

        @Override
        public void failed(Throwable failure) {}

        @Override
        public void close() {}
    };

    private static final String SCOPE = "org.anabranch";

    private final @Nullable OpenTelemetry telemetry;
    private final @Nullable Tracer tracer;

    Traces(@Nullable OpenTelemetry telemetry) {
        this.telemetry = telemetry;
        this.tracer = telemetry == null ? null : telemetry.getTracer(SCOPE);
    }

    /** A database's connections, each of whose statements is a part of whatever its thread is at. */
    DataSource traced(DataSource database) {
        return telemetry == null
                ? database
                : JdbcTelemetry.builder(telemetry)
                        .setDataSourceInstrumenterEnabled(false)
                        .build()
                        .wrap(database);
    }

    /** A part of a request, from {@link #begin} to {@link #close}, on one thread. */
    interface Part extends AutoCloseable {

        void note(String name, long value);

        void failed(Throwable failure);

        @Override
        void close();
    }

    /** Begins a part of whatever the thread is at; what begins on this thread until its end is a part of it. */
    Part begin(String name) {
        return tracer == null ? UNTRACED : new Traced(tracer.spanBuilder(name).startSpan());
    }

    private static final class Traced implements Part {

        private final Span span;
        private final Scope scope;

        private Traced(Span span) {
            this.span = span;
            this.scope = span.makeCurrent();
        }

        @Override
        public void note(String name, long value) {
            span.setAttribute(name, value);
        }

        @Override
        public void failed(Throwable failure) {
            span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
        }

        @Override
        public void close() {
            scope.close();
            span.end();
        }
    }
}
