package org.anabranch.filter;

import org.jspecify.annotations.Nullable;
import org.projectnessie.cel.parser.gen.CELLexer;
import org.projectnessie.cel.parser.gen.CELParser;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.BaseErrorListener;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.CharStreams;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.CommonTokenStream;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.RecognitionException;
import org.projectnessie.cel.shaded.org.antlr.v4.runtime.Recognizer;

/**
 * Reads an expression before the library does, which prints what is wrong to the error output of the process, with the words of whoever
 * wrote it.
 */
final class Syntax {

    private Syntax() {}

    /** What is wrong first. */
    static final class Wrong extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Wrong(int line, int column, String what) {
            super("line " + line + ", column " + column + ": " + what);
        }
    }

    /** @throws Wrong if it is no expression of the language */
    static void require(String text) {
        BaseErrorListener refusing = new BaseErrorListener() {
            @Override
            public void syntaxError(
                    Recognizer<?, ?> recognizer,
                    @Nullable Object symbol,
                    int line,
                    int charactersBefore,
                    String message,
                    @Nullable RecognitionException cause) {
                throw new Wrong(line, charactersBefore + 1, message);
            }
        };
        CELLexer lexer = new CELLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        lexer.addErrorListener(refusing);
        CELParser parser = new CELParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.addErrorListener(refusing);
        parser.start();
    }
}
