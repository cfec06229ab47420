package org.anabranch.rest;

import com.google.common.collect.Iterators;
import jakarta.ws.rs.core.UriInfo;
import org.anabranch.api.ext.ChangedEntriesResponse;
import org.anabranch.api.ext.KeyCountResponse;
import org.anabranch.api.ext.KeyHistoryResponse;
import org.anabranch.api.ext.KeysApi;
import org.anabranch.api.v2.CommitMetaBody;
import org.anabranch.api.v2.NextPage;
import org.anabranch.api.v2.ReferenceBody;
import org.anabranch.model.ChangedEntry;
import org.anabranch.model.ChildrenRequest;
import org.anabranch.model.EntriesRequest;
import org.anabranch.model.KeyHistoryEntry;
import org.anabranch.model.KeyHistoryRequest;
import org.anabranch.model.Page;
import org.anabranch.model.Reference;
import org.anabranch.service.CountKeys;
import org.anabranch.service.ListChildren;
import org.anabranch.service.ListLastChanges;
import org.anabranch.service.ReadKeyHistory;
import org.jspecify.annotations.Nullable;

/** Histories of keys, last changes, children and counts. Listings are read while their answer is written. */
public final class KeysResource implements KeysApi {

    private final ReadKeyHistory readKeyHistory;
    private final ListLastChanges listLastChanges;
    private final ListChildren listChildren;
    private final CountKeys countKeys;
    private final Caller caller;
    private final AnswerTime answerTime;

    KeysResource(
            ReadKeyHistory readKeyHistory,
            ListLastChanges listLastChanges,
            ListChildren listChildren,
            CountKeys countKeys,
            Caller caller,
            AnswerTime answerTime) {
        this.readKeyHistory = readKeyHistory;
        this.listLastChanges = listLastChanges;
        this.listChildren = listChildren;
        this.countKeys = countKeys;
        this.caller = caller;
        this.answerTime = answerTime;
    }

    @Override
    public KeyHistoryResponse history(
            String ref, String key, @Nullable String content, @Nullable String maxRecords, @Nullable String pageToken) {
        Page<KeyHistoryEntry> page = readKeyHistory.read(
                new KeyHistoryRequest(
                        Parameters.reference("ref", ref),
                        Parameters.requiredKey("key", key),
                        Parameters.detail(content),
                        Parameters.integer("max-records", maxRecords),
                        Parameters.orEmpty(pageToken)),
                caller.access());
        return new KeyHistoryResponse(
                Iterators.transform(
                        answerTime.limited(page),
                        entry -> new KeyHistoryResponse.KeyChange(
                                CommitMetaBody.of(entry.commit()),
                                entry.key(),
                                entry.change(),
                                entry.renamedFrom(),
                                entry.renamedTo(),
                                entry.contentId(),
                                entry.content())),
                NextPage.of(page::nextToken));
    }

    @Override
    public ChangedEntriesResponse entries(
            String ref,
            UriInfo keys,
            @Nullable String content,
            @Nullable String filter,
            @Nullable String minKey,
            @Nullable String maxKey,
            @Nullable String prefixKey,
            @Nullable String maxRecords,
            @Nullable String pageToken) {
        ListLastChanges.Listed listed = listLastChanges.list(
                new EntriesRequest(
                        Parameters.reference("ref", ref),
                        Parameters.selection(keys, minKey, maxKey, prefixKey),
                        Parameters.detail(content),
                        Parameters.orEmpty(filter),
                        Parameters.integer("max-records", maxRecords),
                        Parameters.orEmpty(pageToken)),
                caller.access());
        return answer(listed.reference(), listed.entries());
    }

    @Override
    public ChangedEntriesResponse children(
            String ref,
            @Nullable String parentKey,
            @Nullable String content,
            @Nullable String maxRecords,
            @Nullable String pageToken) {
        ListChildren.Listed listed = listChildren.list(
                new ChildrenRequest(
                        Parameters.reference("ref", ref),
                        Parameters.optionalKey("parent-key", parentKey).orElse(null),
                        Parameters.detail(content),
                        Parameters.integer("max-records", maxRecords),
                        Parameters.orEmpty(pageToken)),
                caller.access());
        return answer(listed.reference(), listed.children());
    }

    @Override
    public KeyCountResponse count(String ref, @Nullable String parentKey) {
        CountKeys.Counted counted = countKeys.count(
                Parameters.reference("ref", ref),
                Parameters.optionalKey("parent-key", parentKey).orElse(null),
                caller.access());
        return new KeyCountResponse(ReferenceBody.of(counted.reference()), counted.count());
    }

    private ChangedEntriesResponse answer(Reference reference, Page<ChangedEntry> page) {
        return new ChangedEntriesResponse(
                ReferenceBody.of(reference),
                Iterators.transform(
                        answerTime.limited(page),
                        changed -> new ChangedEntriesResponse.Entry(
                                changed.entry().key(),
                                changed.entry().type(),
                                changed.entry().contentId(),
                                changed.entry().content(),
                                CommitMetaBody.of(changed.lastChange()))),
                NextPage.of(page::nextToken));
    }
}
