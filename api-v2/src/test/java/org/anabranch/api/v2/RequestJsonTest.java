package org.anabranch.api.v2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.anabranch.model.ContentKey;
import org.anabranch.model.HashSpec;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.MergeMode;
import org.anabranch.model.Namespace;
import org.anabranch.model.Operation;
import org.anabranch.model.RefSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestJsonTest {

    private static final ObjectMapper MAPPER = ApiJson.newMapper();
    private static final String TABLE =
            "{'type':'ICEBERG_TABLE','metadataLocation':'m','snapshotId':1,'schemaId':2,'specId':3,'sortOrderId':4}";

    private static <T> T read(String json, Class<T> type) throws JsonProcessingException {
        return MAPPER.readValue(json.replace('\'', '"'), type);
    }

    private static CommitBody commit(String meta, String operation) throws JsonProcessingException {
        return read("{'commitMeta':" + meta + ",'operations':[" + operation + "]}", CommitBody.class);
    }

    private static Operation operation(String json) throws JsonProcessingException {
        return commit("{'message':'m'}", json).operations().get(0);
    }

    @Test
    void aPutTakesWhatClientsSendAndIgnoresTheRest() throws Exception {
        String json = "{'key':{'elements':['a'],'x':1},'hint':1,'expectedContent':" + TABLE + ",'content':"
                + TABLE.replace("}", ",'colour':'red'}")
                + ",'documentation':{'mimeType':'text/plain','text':'t'},'metadata':[{'variant':'v','more':[1]}],'type':'PUT'}";
        assertThat(operation(json))
                .isEqualTo(new Operation.Put(ContentKey.of("a"), new IcebergTable(null, "m", 1, 2, 3, 4)));
    }

    @Test
    void theTypeMayStandAnywhere() throws Exception {
        assertThat(operation("{'key':{'elements':['a']},'type':'DELETE'}"))
                .isEqualTo(new Operation.Delete(ContentKey.of("a")));
        assertThat(operation("{'type':'PUT','key':{'elements':['n']},"
                        + "'content':{'properties':{'p':'1'},'elements':['n'],'type':'NAMESPACE','id':null}}"))
                .isEqualTo(new Operation.Put(ContentKey.of("n"), new Namespace(null, List.of("n"), Map.of("p", "1"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'put','key':{'elements':['a']}}",
                "{'type':'MOVE','key':{'elements':['a']}}",
                "{'type':null,'key':{'elements':['a']}}",
                "{'key':{'elements':['a']}}",
                "{'type':'DELETE'}",
                "{'type':'DELETE','key':{'elements':[]}}",
                "{'type':'DELETE','key':{'elements':[null]}}",
                "{'type':'DELETE','key':{'elements':'a'}}",
                "{'type':'DELETE','key':{'elements':[1]}}",
                "{'type':'UNCHANGED','key':null}",
                "{'type':'PUT','key':{'elements':['a']}}",
                "{'type':'PUT','key':{'elements':['a']},'content':null}",
                "{'type':'PUT','key':{'elements':['a']},'content':'ICEBERG_TABLE'}",
                "{'type':'PUT','key':{'elements':['a']},'content':{'type':'NAMESPACE'},'documentation':{'text':'t'}}",
                "{'type':'PUT','key':{'elements':['a']},'content':{'type':'NAMESPACE'},'metadata':[{}]}",
                "null"
            })
    void brokenOperationsAreRefused(String json) {
        assertThatThrownBy(() -> operation(json)).isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'HUDI_TABLE','location':'x'}",
                "{'type':'UNKNOWN'}",
                "{'type':'iceberg_table','metadataLocation':'m','snapshotId':1,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'metadataLocation':'x'}",
                "{'type':'ICEBERG_TABLE','snapshotId':1,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','metadataLocation':null,'snapshotId':1,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','metadataLocation':'m','schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','metadataLocation':'m','snapshotId':null,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','metadataLocation':'m','snapshotId':'1','schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','metadataLocation':'m','snapshotId':1.5,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','metadataLocation':'m','snapshotId':1,'schemaId':2147483648,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','metadataLocation':'m','snapshotId':9223372036854775808,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','id':'my-id','metadataLocation':'m','snapshotId':1,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_TABLE','id':'','metadataLocation':'m','snapshotId':1,'schemaId':2,'specId':3,'sortOrderId':4}",
                "{'type':'ICEBERG_VIEW','metadataLocation':'m','schemaId':2}",
                "{'type':'ICEBERG_VIEW','versionId':1,'schemaId':2}",
                "{'type':'NAMESPACE','elements':'n'}",
                "{'type':'NAMESPACE','elements':['']}",
                "{'type':'NAMESPACE','elements':['n','.']}",
                "{'type':'NAMESPACE','elements':['n'],'properties':['x']}",
                "{'type':'NAMESPACE','elements':['n'],'properties':{'x':null}}",
                "{'type':'DELTA_LAKE_TABLE','metadataLocationHistory':[null]}"
            })
    void brokenContentsAreRefused(String content) {
        assertThatThrownBy(() -> operation("{'type':'PUT','key':{'elements':['t']},'content':" + content + "}"))
                .isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'DELETE','key':{'elements':['\\ud800']}}",
                "{'type':'DELETE','key':{'elements':['a\\udc00\\ud800']}}",
                "{'type':'PUT','key':{'elements':['t']},'content':{'type':'UDF','sqlText':'x\\ud83d'}}",
                "{'type':'PUT','key':{'elements':['n']},'content':{'type':'NAMESPACE','properties':{'\\ude00':'x'}}}",
                "{'type':'PUT','key':{'elements':['n']},'content':{'type':'NAMESPACE','properties':{'x':'\\ude00'}}}"
            })
    void halfCharactersAreRefused(String json) {
        assertThatThrownBy(() -> operation(json)).hasMessageContaining("half a character");
    }

    @Test
    void wholeCharactersOfAnyPlaneAreTaken() throws Exception {
        assertThat(operation("{'type':'DELETE','key':{'elements':['\\ud83d\\ude00\uD83D\uDE00']}}"))
                .isEqualTo(new Operation.Delete(ContentKey.of("\uD83D\uDE00\uD83D\uDE00")));
    }

    @Test
    void numbersReachTheirLimits() throws Exception {
        String content = "{'type':'ICEBERG_TABLE','metadataLocation':'','snapshotId':-9223372036854775808,"
                + "'schemaId':2147483647,'specId':-2147483648,'sortOrderId':0}";
        assertThat(operation("{'type':'PUT','key':{'elements':['t']},'content':" + content + "}"))
                .isEqualTo(new Operation.Put(
                        ContentKey.of("t"),
                        new IcebergTable(null, "", Long.MIN_VALUE, Integer.MAX_VALUE, Integer.MIN_VALUE, 0)));
    }

    @Test
    void commitMetadataOfBothApiVersionsIsRead() throws Exception {
        CommitMetaInput expected = new CommitMetaInput(
                "m", List.of("Ann"), Instant.parse("2020-01-02T01:04:05Z"), List.of("Bob"), Map.of("k", List.of("v")));
        assertThat(read(
                        "{'message':'m','authors':['Ann'],'allSignedOffBy':['Bob'],'allProperties':{'k':['v']},"
                                + "'authorTime':'2020-01-02T03:04:05+02:00','hash':null,'committer':null,"
                                + "'commitTime':null,'parentCommitHashes':[]}",
                        CommitMetaInput.class))
                .isEqualTo(expected);
        assertThat(read(
                        "{'message':'m','author':'Ann','signedOffBy':'Bob','properties':{'k':'v'},"
                                + "'authorTime':'2020-01-02T01:04:05Z'}",
                        CommitMetaInput.class))
                .isEqualTo(expected);
        assertThat(read("{'message':'','author':'Ann','authors':['Cid']}", CommitMetaInput.class)
                        .authors())
                .containsExactly("Cid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'message':null}",
                "{'message':5}",
                "{'message':{'a':1}}",
                "{'message':'m','authours':['a']}",
                "{'message':'m','authors':'a'}",
                "{'message':'m','authors':[null]}",
                "{'message':'m','authorTime':'yesterday'}",
                "{'message':'m','authorTime':'2020-01-01'}",
                "{'message':'m','authorTime':1577934245}",
                "{'message':'m','authorTime':'1577934245'}",
                "{'message':'m','authorTime':'+99999-01-01T00:00:00Z'}",
                "{'message':'m','allProperties':{'a':'b'}}",
                "{'message':'m','allProperties':['a']}",
                "{'message':'m','committer':'me'}",
                "{'message':'m','commitTime':'2020-01-02T01:04:05Z'}",
                "{'message':'m','hash':'1122334455667788'}",
                "{'message':'m','parentCommitHashes':['1122334455667788']}"
            })
    void brokenCommitMetadataIsRefused(String meta) {
        assertThatThrownBy(() -> read(meta, CommitMetaInput.class)).isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'operations':[{'type':'DELETE','key':{'elements':['a']}}]}",
                "{'commitMeta':{'message':'m'}}",
                "{'commitMeta':{'message':'m'},'operations':[]}",
                "{'commitMeta':{'message':'m'},'operations':{}}",
                "[]",
                "'text'",
                "{",
                "{'commitMeta':{'message':'m'},'operations':[{'type':'DELETE','key':{'elements':['a']}}]} trailing"
            })
    void brokenCommitsAreRefused(String json) {
        assertThatThrownBy(() -> read(json, CommitBody.class)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void missingOperationsAreNamedWithTheirSize() {
        assertThatThrownBy(() -> read("{'commitMeta':{'message':'m'},'operations':[]}", CommitBody.class))
                .hasMessageContaining("operations: size must be between 1 and 2147483647");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "'isDryRun':true|true|false",
                "'dryRun':true|true|false",
                "'dryRun':true,'isDryRun':false|true|false",
                "'isDryRun':false,'dryRun':null|false|false",
                "'returnConflictAsResult':true|false|true",
                "'isReturnConflictAsResult':true,'fetchAdditionalInfo':true,'keepIndividualCommits':false|false|true"
            })
    void mergesTakeBothSpellingsOfTheirSwitches(String switches, boolean dryRun, boolean conflictsAsResult)
            throws Exception {
        MergeBody merge = read("{'fromRefName':'b','fromHash':'AABBCCDD~1'," + switches + "}", MergeBody.class);
        assertThat(merge.options().dryRun()).isEqualTo(dryRun);
        assertThat(merge.options().conflictsAsResult()).isEqualTo(conflictsAsResult);
        assertThat(merge.options().defaultMode()).isEqualTo(MergeMode.NORMAL);
        assertThat(merge.fromHash()).isEqualTo(HashSpec.parse("aabbccdd~1"));
        TransplantBody transplant =
                read("{'fromRefName':'b','hashesToTransplant':['aabbccdd']," + switches + "}", TransplantBody.class);
        assertThat(transplant.options()).isEqualTo(merge.options());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'fromHash':'aabbccdd'}",
                "{'fromRefName':'a..b'}",
                "{'fromRefName':'b','fromHash':''}",
                "{'fromRefName':'b','fromHash':'xyz'}",
                "{'fromRefName':'b','message':''}",
                "{'fromRefName':'b','commitMeta':{'message':'m','committer':'me'}}",
                "{'fromRefName':'b','defaultKeyMergeMode':'SMART'}",
                "{'fromRefName':'b','defaultKeyMergeMode':1}",
                "{'fromRefName':'b','isDryRun':'yes'}",
                "{'fromRefName':'b','keyMergeModes':[{'mergeBehavior':'DROP'}]}",
                "{'fromRefName':'b','keyMergeModes':[{'key':{'elements':['u']}}]}",
                "{'fromRefName':'b','keyMergeModes':[{'key':{'elements':['u']},'mergeBehavior':'DROP'},"
                        + "{'key':{'elements':['u']},'mergeBehavior':'NORMAL'}]}"
            })
    void brokenMergesAreRefused(String json) {
        assertThatThrownBy(() -> read(json, MergeBody.class)).isInstanceOf(JsonProcessingException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'fromRefName':'b'}",
                "{'fromRefName':'b','hashesToTransplant':[]}",
                "{'fromRefName':'b','hashesToTransplant':['xyz']}",
                "{'fromRefName':'b','hashesToTransplant':[null]}",
                "{'hashesToTransplant':['aabbccdd']}",
                "[]"
            })
    void brokenTransplantsAreRefused(String json) {
        assertThatThrownBy(() -> read(json, TransplantBody.class)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void referencesNameASource() throws Exception {
        assertThat(read("{'hash':'AABBCCDD','name':'main','type':'BRANCH','metadata':5}", ReferenceBody.class)
                        .toRefSpec())
                .isEqualTo(new RefSpec("main", HashSpec.parse("aabbccdd")));
        assertThat(read("{'type':'DETACHED','hash':'aabbccdd~1'}", ReferenceBody.class)
                        .toRefSpec())
                .isEqualTo(new RefSpec(null, HashSpec.parse("aabbccdd~1")));
        assertThat(read("{'type':'TAG','name':'v','hash':null}", ReferenceBody.class)
                        .toRefSpec())
                .isEqualTo(new RefSpec("v", HashSpec.HEAD));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{'name':'main'}",
                "{'type':'TWIG','name':'main'}",
                "{'type':'branch','name':'main'}",
                "{'type':'BRANCH'}",
                "{'type':'BRANCH','name':'a..b'}",
                "{'type':'BRANCH','name':'main','hash':''}",
                "{'type':'BRANCH','name':'main','hash':'not-a-hash'}"
            })
    void brokenReferencesAreRefused(String json) {
        assertThatThrownBy(() -> read(json, ReferenceBody.class)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void requestedKeysMayBeEmptyAndRepeated() throws Exception {
        assertThat(read(
                                "{'requestedKeys':[{'elements':['b']},{'elements':[]},{'elements':['a']},{'elements':['b']}]}",
                                GetContentsBody.class)
                        .keys())
                .containsExactly(ContentKey.of("b"), ContentKey.of("a"));
        assertThatThrownBy(() -> read("{'requestedKeys':[]}", GetContentsBody.class))
                .hasMessageContaining("requestedKeys: size must be between 1 and");
        assertThatThrownBy(() -> read("{'requestedKeys':[{'elements':['a\\u0000']}]}", GetContentsBody.class))
                .hasMessageContaining("U+0000");
    }

    @Test
    void settingsOfTheCollectorAreChecked() throws Exception {
        String json =
                "{'config':{'type':'GARBAGE_COLLECTOR','defaultCutoffPolicy':'P30D','newFilesGracePeriod':'PT3H'}}";
        assertThat(MAPPER.writeValueAsString(read(json, UpdateRepositoryConfigBody.class)))
                .isEqualTo(json.replace('\'', '"'));
        for (String policy :
                List.of("NONE", "none", "10", "P1DT2H", "2024-01-31T10:00:00Z", "2024-01-31T10:00:00+01:00")) {
            assertThat(new GarbageCollectorConfig(policy, List.of(), null, null).defaultCutoffPolicy())
                    .isEqualTo(policy);
        }
        assertThatThrownBy(() -> read(
                        "{'config':{'type':'GARBAGE_COLLECTOR','defaultCutoffPolicy':'last tuesday'}}",
                        UpdateRepositoryConfigBody.class))
                .hasMessageContaining("Failed to parse default-cutoff-value");
        assertThatThrownBy(() -> read("{'config':{'type':'CUSTOM'}}", UpdateRepositoryConfigBody.class))
                .hasMessageContaining(
                        "Repository config type bundle for 'CUSTOM' is not available on the Nessie server side");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'config':null}",
                "{'config':{'defaultCutoffPolicy':'P1D'}}",
                "{'config':{'type':'GARBAGE_COLLECTOR','newFilesGracePeriod':'three hours'}}",
                "{'config':{'type':'GARBAGE_COLLECTOR','newFilesGracePeriod':3600}}",
                "{'config':{'type':'GARBAGE_COLLECTOR','perRefCutoffPolicies':[{'policy':'P1D'}]}}"
            })
    void brokenSettingsAreRefused(String json) {
        assertThatThrownBy(() -> read(json, UpdateRepositoryConfigBody.class))
                .isInstanceOf(JsonProcessingException.class);
    }
}
