package org.anabranch.api.v2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.anabranch.model.CommitHeader;
import org.anabranch.model.CommitId;
import org.anabranch.model.CommitMeta;
import org.anabranch.model.Conflict;
import org.anabranch.model.ConflictType;
import org.anabranch.model.Consistency;
import org.anabranch.model.Content;
import org.anabranch.model.ContentId;
import org.anabranch.model.ContentKey;
import org.anabranch.model.ContentType;
import org.anabranch.model.DeltaLakeTable;
import org.anabranch.model.ErrorCode;
import org.anabranch.model.IcebergTable;
import org.anabranch.model.IcebergView;
import org.anabranch.model.ListedReference;
import org.anabranch.model.MergeMode;
import org.anabranch.model.Namespace;
import org.anabranch.model.Operation;
import org.anabranch.model.Reference;
import org.anabranch.model.ReferenceKind;
import org.anabranch.model.ReferenceMetadata;
import org.anabranch.model.Udf;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients refuse answers with a field they do not know, so the JSON is compared to the letter. */
class ResponseJsonTest {

    private static final ObjectMapper MAPPER = ApiJson.newMapper();
    private static final CommitId HASH = CommitId.parse("11".repeat(32));
    private static final String HASH_JSON = "'" + HASH + "'";
    private static final ContentId ID = ContentId.parse("11111111-2222-3333-4444-555555555555");
    private static final String ID_JSON = "'id':'" + ID + "'";

    private static void assertJson(Object value, String expected) throws Exception {
        assertThat(MAPPER.writeValueAsString(value)).isEqualTo(expected.replace('\'', '"'));
    }

    static Stream<Arguments> contents() {
        return Stream.of(
                Arguments.of(
                        new IcebergTable(ID, "m", -1, 2, 3, 4),
                        "{'type':'ICEBERG_TABLE'," + ID_JSON
                                + ",'metadataLocation':'m','snapshotId':-1,'schemaId':2,'specId':3,'sortOrderId':4}"),
                Arguments.of(
                        new IcebergView(ID, "m", 1, 2, null, null),
                        "{'type':'ICEBERG_VIEW'," + ID_JSON + ",'metadataLocation':'m','versionId':1,'schemaId':2}"),
                Arguments.of(
                        new IcebergView(ID, "m", 1, 2, "-", "-"),
                        "{'type':'ICEBERG_VIEW'," + ID_JSON
                                + ",'metadataLocation':'m','versionId':1,'schemaId':2,'sqlText':'-','dialect':'-'}"),
                Arguments.of(
                        new DeltaLakeTable(ID, List.of("a"), List.of(), null),
                        "{'type':'DELTA_LAKE_TABLE'," + ID_JSON
                                + ",'metadataLocationHistory':['a'],'checkpointLocationHistory':[],'lastCheckpoint':null}"),
                Arguments.of(
                        new Namespace(ID, List.of("a"), Map.of()),
                        "{'type':'NAMESPACE'," + ID_JSON + ",'elements':['a']}"),
                Arguments.of(
                        new Namespace(ID, List.of("a"), Map.of("p", "1")),
                        "{'type':'NAMESPACE'," + ID_JSON + ",'elements':['a'],'properties':{'p':'1'}}"),
                Arguments.of(new Udf(ID, null, null, null, null, null), "{'type':'UDF'," + ID_JSON + "}"),
                Arguments.of(
                        new Udf(ID, "m", "1", "s", "x", "d"),
                        "{'type':'UDF'," + ID_JSON
                                + ",'metadataLocation':'m','versionId':'1','signatureId':'s','sqlText':'x','dialect':'d'}"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("contents")
    void contentsGoThereAndBack(Content content, String json) throws Exception {
        assertThat(MAPPER.writerFor(Content.class).writeValueAsString(content)).isEqualTo(json.replace('\'', '"'));
        assertThat(MAPPER.readValue(json.replace('\'', '"'), Content.class)).isEqualTo(content);
    }

    @Test
    void referencesOmitWhatTheyDoNotHave() throws Exception {
        assertJson(
                new SingleReferenceResponse(
                        ReferenceBody.of(new Reference.Named(ReferenceKind.BRANCH, "main", CommitId.NO_ANCESTOR))),
                "{'reference':{'type':'BRANCH','name':'main','hash':'" + CommitId.NO_ANCESTOR + "'}}");
        assertJson(ReferenceBody.of(new Reference.Detached(HASH)), "{'type':'DETACHED','hash':" + HASH_JSON + "}");
        assertJson(
                ReferenceBody.of(new ListedReference(
                        new Reference.Named(ReferenceKind.TAG, "v", HASH),
                        new ReferenceMetadata(null, null, header(Map.of()), null, 7L))),
                "{'type':'TAG','name':'v','hash':" + HASH_JSON
                        + ",'metadata':{'numCommitsAhead':null,'numCommitsBehind':null,'commitMetaOfHEAD':"
                        + META_JSON + ",'commonAncestorHash':null,'numTotalCommits':7}}");
    }

    private static final String META_JSON = "{'hash':" + HASH_JSON
            + ",'committer':'','authors':[''],'allSignedOffBy':[],'message':'m',"
            + "'commitTime':'2026-11-30T05:43:58.983332Z','authorTime':'2020-01-02T03:04:05Z',"
            + "'parentCommitHashes':['" + CommitId.NO_ANCESTOR + "']}";

    private static CommitHeader header(Map<String, List<String>> properties) {
        return new CommitHeader(
                HASH,
                List.of(CommitId.NO_ANCESTOR),
                Instant.parse("2026-11-30T05:43:58.983332Z"),
                new CommitMeta("m", "", List.of(""), Instant.parse("2020-01-02T03:04:05Z"), List.of(), properties));
    }

    private static CommitMetaBody meta(Map<String, List<String>> properties) {
        return CommitMetaBody.of(header(properties));
    }

    private static NextPage next(@Nullable String token) {
        return NextPage.of(() -> Optional.ofNullable(token));
    }

    @Test
    void historiesEmitNullOperationsAndDocumentation() throws Exception {
        assertJson(
                new LogResponse(
                        List.of(new LogResponse.LogEntry(meta(Map.of()), CommitId.NO_ANCESTOR, null))
                                .iterator(),
                        next(null)),
                "{'logEntries':[{'commitMeta':" + META_JSON + ",'parentCommitHash':'" + CommitId.NO_ANCESTOR
                        + "','operations':null}],'token':null,'hasMore':false}");
        assertJson(
                new LogResponse.LogEntry(
                        meta(Map.of("k", List.of("v"))),
                        HASH,
                        List.<Operation>of(
                                        new Operation.Delete(ContentKey.of("a")),
                                        new Operation.Put(ContentKey.of("b"), new Namespace(ID, List.of(), Map.of())))
                                .iterator()),
                "{'commitMeta':" + META_JSON.replace(",'parentC", ",'allProperties':{'k':['v']},'parentC")
                        + ",'parentCommitHash':" + HASH_JSON
                        + ",'operations':[{'type':'DELETE','key':{'elements':['a']}},"
                        + "{'type':'PUT','key':{'elements':['b']},'content':{'type':'NAMESPACE'," + ID_JSON
                        + ",'elements':[]},'documentation':null}]}");
    }

    @Test
    void entriesAndDiffsEmitNullContents() throws Exception {
        ReferenceBody at = ReferenceBody.of(new Reference.Detached(HASH));
        String atJson = "{'type':'DETACHED','hash':" + HASH_JSON + "}";
        assertJson(
                new EntriesResponse(
                        at,
                        List.of(new EntriesResponse.Entry(ContentType.UDF, ContentKey.of("a", "b"), ID, null))
                                .iterator(),
                        next("t")),
                "{'effectiveReference':" + atJson
                        + ",'entries':[{'type':'UDF','name':{'elements':['a','b']},'contentId':'" + ID
                        + "','content':null}],'token':'t','hasMore':true}");
        assertJson(
                new DiffResponse(
                        at,
                        at,
                        List.of(new DiffResponse.DiffEntry(ContentKey.of("a"), null, null))
                                .iterator(),
                        next(null)),
                "{'effectiveFromReference':" + atJson + ",'effectiveToReference':" + atJson
                        + ",'diffs':[{'key':{'elements':['a']},'from':null,'to':null}],'token':null,'hasMore':false}");
        assertJson(
                new GetContentsResponse(
                        List.of(new GetContentsResponse.ContentWithKey(
                                        ContentKey.of("a"), new Udf(ID, null, null, null, null, null)))
                                .iterator(),
                        at),
                "{'contents':[{'key':{'elements':['a']},'content':{'type':'UDF'," + ID_JSON
                        + "}}],'effectiveReference':" + atJson + "}");
    }

    @Test
    void writesSayWhatTheyMade() throws Exception {
        ReferenceBody at = ReferenceBody.of(new Reference.Named(ReferenceKind.BRANCH, "main", HASH));
        String atJson = "{'type':'BRANCH','name':'main','hash':" + HASH_JSON + "}";
        assertJson(new CommitResponse(at, null), "{'targetBranch':" + atJson + ",'addedContents':null}");
        assertJson(
                new CommitResponse(at, List.of(new CommitResponse.AddedContent(ContentKey.of("a"), ID))),
                "{'targetBranch':" + atJson + ",'addedContents':[{'key':{'elements':['a']},'contentId':'" + ID
                        + "'}]}");
        assertJson(
                new MergeResponse(
                        false,
                        false,
                        null,
                        HASH,
                        "main",
                        HASH,
                        HASH,
                        List.of(
                                new MergeResponse.KeyDetails(ContentKey.of("a"), MergeMode.NORMAL, null),
                                new MergeResponse.KeyDetails(
                                        ContentKey.of("b"),
                                        MergeMode.FORCE,
                                        new Conflict(ConflictType.KEY_EXISTS, ContentKey.of("b"), "x")))),
                "{'wasApplied':false,'wasSuccessful':false,'resultantTargetHash':null,'commonAncestor':" + HASH_JSON
                        + ",'targetBranch':'main','effectiveTargetHash':" + HASH_JSON + ",'expectedHash':" + HASH_JSON
                        + ",'details':[{'key':{'elements':['a']},'mergeBehavior':'NORMAL'},"
                        + "{'key':{'elements':['b']},'mergeBehavior':'FORCE','conflict':"
                        + "{'conflictType':'KEY_EXISTS','key':{'elements':['b']},'message':'x'}}]}");
    }

    @Test
    void settingsAndServer() throws Exception {
        assertJson(new RepositoryConfigResponse(List.of()), "{}");
        assertJson(new UpdateRepositoryConfigResponse(null), "{'previous':null}");
        assertJson(
                new ServerConfig("main", 2, 2, 2, "2.2.0", CommitId.NO_ANCESTOR, Instant.EPOCH, Instant.EPOCH),
                "{'defaultBranch':'main','minSupportedApiVersion':2,'maxSupportedApiVersion':2,'actualApiVersion':2,"
                        + "'specVersion':'2.2.0','noAncestorHash':'" + CommitId.NO_ANCESTOR
                        + "','repositoryCreationTimestamp':'1970-01-01T00:00:00Z',"
                        + "'oldestPossibleCommitTimestamp':'1970-01-01T00:00:00Z'}");
    }

    @Test
    void recentChanges() throws Exception {
        assertJson(
                new RecentChangesResponse(
                        ReferenceBody.of(new Reference.Named(ReferenceKind.BRANCH, "main", HASH)),
                        new RecentChangesResponse.State(CommitId.NO_ANCESTOR, Consistency.COMMIT_CONSISTENT, null),
                        List.of(),
                        Consistency.NOT_CHECKED),
                "{'reference':{'type':'BRANCH','name':'main','hash':" + HASH_JSON + "},'current':{'commitHash':'"
                        + CommitId.NO_ANCESTOR + "','commitConsistency':'COMMIT_CONSISTENT','meta':null},"
                        + "'previous':[],'commitLogConsistency':'NOT_CHECKED'}");
    }

    @Test
    void errorsCarryDetailsOnlyWhereThereAreAny() throws Exception {
        assertJson(
                new ErrorBody(400, "Bad Request", "m", ErrorCode.BAD_REQUEST, null, null),
                "{'status':400,'reason':'Bad Request','message':'m','errorCode':'BAD_REQUEST','serverStackTrace':null}");
        assertJson(
                new ErrorBody(
                        409,
                        "Conflict",
                        "m",
                        ErrorCode.REFERENCE_CONFLICT,
                        new ErrorBody.ReferenceConflicts(
                                List.of(new Conflict(ConflictType.UNEXPECTED_HASH, null, "x"))),
                        null),
                "{'status':409,'reason':'Conflict','message':'m','errorCode':'REFERENCE_CONFLICT','errorDetails':"
                        + "{'type':'REFERENCE_CONFLICTS','conflicts':[{'conflictType':'UNEXPECTED_HASH','key':null,'message':'x'}]},"
                        + "'serverStackTrace':null}");
        assertJson(
                new ErrorBody(
                        404,
                        "Not Found",
                        "m",
                        ErrorCode.CONTENT_NOT_FOUND,
                        new ErrorBody.ContentKeyDetails(ContentKey.of("a")),
                        null),
                "{'status':404,'reason':'Not Found','message':'m','errorCode':'CONTENT_NOT_FOUND','errorDetails':"
                        + "{'type':'CONTENT_KEY','contentKey':{'elements':['a']}},'serverStackTrace':null}");
    }
}
