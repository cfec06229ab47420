package org.anabranch.rest.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.anabranch.api.v2.ErrorBody;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ErrorBodiesTest {

    @Test
    void whatTheHttpLayerRefusesIsNeverADefect() {
        IntStream.range(400, 500)
                .forEach(status -> assertThat(ErrorBodies.ofHttp(status).status())
                        .as("of " + status)
                        .isBetween(400, 499));
    }

    @ParameterizedTest
    @CsvSource({"400, 400", "413, 413", "431, 431", "422, 400", "500, 500", "503, 500", "200, 500", "-1, 500"})
    void anAnswerOfTheHttpLayerKeepsAStatusThatHasAName(int given, int answered) {
        assertThat(ErrorBodies.ofHttp(given).status()).isEqualTo(answered);
    }

    @ParameterizedTest
    @EnumSource
    void whoIsRefusedForLackOfRoomIsToldWhenToComeAgain(ErrorCode code) {
        ErrorBody body = ErrorBodies.of(RefusedException.of(code, "refused"));
        assertThat(body.errorCode()).isEqualTo(code);
        boolean isForLackOfRoom = code == ErrorCode.TOO_MANY_REQUESTS || code == ErrorCode.SERVICE_UNAVAILABLE;
        assertThat(ErrorBodies.retryAfter(body).isPresent()).isEqualTo(isForLackOfRoom);
    }
}
