package org.anabranch.rest;

import com.google.common.collect.Iterators;
import jakarta.ws.rs.core.UriInfo;
import java.util.List;
import java.util.Objects;
import org.anabranch.api.v2.CommitMetaBody;
import org.anabranch.api.v2.ContentResponse;
import org.anabranch.api.v2.DiffResponse;
import org.anabranch.api.v2.EntriesResponse;
import org.anabranch.api.v2.GetContentsBody;
import org.anabranch.api.v2.GetContentsResponse;
import org.anabranch.api.v2.GetContentsResponse.ContentWithKey;
import org.anabranch.api.v2.LogResponse;
import org.anabranch.api.v2.NextPage;
import org.anabranch.api.v2.ReadsApi;
import org.anabranch.api.v2.ReferenceBody;
import org.anabranch.model.ContentKey;
import org.anabranch.model.DiffEntry;
import org.anabranch.model.DiffRequest;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.Entry;
import org.anabranch.model.HistoryRequest;
import org.anabranch.model.LogEntry;
import org.anabranch.model.Page;
import org.anabranch.model.RefSpec;
import org.anabranch.model.RefusedException;
import org.anabranch.service.DiffReferences;
import org.anabranch.service.ListEntries;
import org.anabranch.service.ReadContents;
import org.anabranch.service.ReadHistory;
import org.jspecify.annotations.Nullable;

/** Contents, entries, histories and differences. Listings are read while their answer is written. */
public final class ReadsResource implements ReadsApi {

    private final ListEntries listEntries;
    private final ReadHistory readHistory;
    private final DiffReferences diffReferences;
    private final ReadContents readContents;
    private final Caller caller;
    private final AnswerTime answerTime;

    ReadsResource(
            ListEntries listEntries,
            ReadHistory readHistory,
            DiffReferences diffReferences,
            ReadContents readContents,
            Caller caller,
            AnswerTime answerTime) {
        this.listEntries = listEntries;
        this.readHistory = readHistory;
        this.diffReferences = diffReferences;
        this.readContents = readContents;
        this.caller = caller;
        this.answerTime = answerTime;
    }

    @Override
    public EntriesResponse entries(
            String ref,
            UriInfo keys,
            @Nullable String content,
            @Nullable String filter,
            @Nullable String minKey,
            @Nullable String maxKey,
            @Nullable String prefixKey,
            @Nullable String maxRecords,
            @Nullable String pageToken) {
        ListEntries.Listed listed = listEntries.list(
                new EntriesRequest(
                        Parameters.reference("ref", ref),
                        Parameters.selection(keys, minKey, maxKey, prefixKey),
                        Parameters.detail(content),
                        Parameters.orEmpty(filter),
                        Parameters.integer("max-records", maxRecords),
                        Parameters.orEmpty(pageToken)),
                caller.access());
        Page<Entry> page = listed.entries();
        return new EntriesResponse(
                ReferenceBody.of(listed.reference()),
                Iterators.transform(
                        answerTime.limited(page),
                        entry -> new EntriesResponse.Entry(
                                entry.type(), entry.key(), entry.contentId(), entry.content())),
                NextPage.of(page::nextToken));
    }

    @Override
    public LogResponse history(
            String ref,
            @Nullable String fetch,
            @Nullable String limitHash,
            @Nullable String filter,
            @Nullable String maxRecords,
            @Nullable String pageToken) {
        Page<LogEntry> page = readHistory.read(
                new HistoryRequest(
                        Parameters.reference("ref", ref),
                        Parameters.fetch(fetch),
                        Parameters.optionalHash("limit-hash", limitHash),
                        Parameters.orEmpty(filter),
                        Parameters.integer("max-records", maxRecords),
                        Parameters.orEmpty(pageToken)),
                caller.access());
        return new LogResponse(
                Iterators.transform(
                        answerTime.limited(page),
                        entry -> new LogResponse.LogEntry(
                                CommitMetaBody.of(entry.commit()),
                                entry.commit().parents().get(0),
                                entry.operations())),
                NextPage.of(page::nextToken));
    }

    @Override
    public DiffResponse diff(
            String fromRef,
            String toRef,
            UriInfo keys,
            @Nullable String filter,
            @Nullable String minKey,
            @Nullable String maxKey,
            @Nullable String prefixKey,
            @Nullable String maxRecords,
            @Nullable String pageToken) {
        DiffReferences.Diff diff = diffReferences.diff(
                new DiffRequest(
                        Parameters.reference("from-ref", fromRef),
                        Parameters.reference("to-ref", toRef),
                        Parameters.selection(keys, minKey, maxKey, prefixKey),
                        Parameters.orEmpty(filter),
                        Parameters.integer("max-records", maxRecords),
                        Parameters.orEmpty(pageToken)),
                caller.access());
        Page<DiffEntry> page = diff.diffs();
        return new DiffResponse(
                ReferenceBody.of(diff.from()),
                ReferenceBody.of(diff.to()),
                Iterators.transform(
                        answerTime.limited(page),
                        entry -> new DiffResponse.DiffEntry(entry.key(), entry.from(), entry.to())),
                NextPage.of(page::nextToken));
    }

    @Override
    public ContentResponse content(String ref, String key, @Nullable String withDoc, @Nullable String forWrite) {
        RefSpec reference = Parameters.reference("ref", ref);
        ContentKey contentKey = Parameters.requiredKey("key", key);
        ReadContents.FoundOne found = readContents.read(reference, contentKey, purpose(forWrite), caller.access());
        return new ContentResponse(found.content(), ReferenceBody.of(found.reference()));
    }

    @Override
    public GetContentsResponse contents(
            String ref, UriInfo query, @Nullable String withDoc, @Nullable String forWrite) {
        RefSpec reference = Parameters.reference("ref", ref);
        List<String> keys = Parameters.all("key", query);
        if (keys.isEmpty()) {
            throw RefusedException.badRequest("key: size must be between 1 and " + Integer.MAX_VALUE);
        }
        return answer(readContents.read(reference, Parameters.keys("key", keys), purpose(forWrite), caller.access()));
    }

    @Override
    public GetContentsResponse contents(
            String ref, @Nullable String withDoc, @Nullable String forWrite, @Nullable GetContentsBody body) {
        RefSpec reference = Parameters.reference("ref", ref);
        return answer(readContents.read(
                reference, Parameters.requiredBody("requestedKeys", body).keys(), purpose(forWrite), caller.access()));
    }

    private static ReadContents.Purpose purpose(@Nullable String forWrite) {
        return Parameters.flag(forWrite) ? ReadContents.Purpose.WRITE : ReadContents.Purpose.READ;
    }

    private GetContentsResponse answer(ReadContents.Found found) {
        return new GetContentsResponse(
                Iterators.transform(
                        answerTime.limited(found.contents()),
                        entry -> new ContentWithKey(entry.key(), Objects.requireNonNull(entry.content()))),
                ReferenceBody.of(found.reference()));
    }
}
