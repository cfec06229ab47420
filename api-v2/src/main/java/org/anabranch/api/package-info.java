/**
 * What the OpenAPI document says beside the resources and bodies themselves: parameters and refusals that many operations share,
 * each once. The HTTP contract stands in the packages below. A parameter of an operation is described by its namesake here, unless
 * the operation describes it itself.
 */
@OpenAPIDefinition(
        info =
                @Info(
                        title = "Anabranch",
                        version = "2.2.0",
                        description =
                                "A versioned catalog for data lakes. The API v2 is the Nessie REST API; what lies below"
                                        + " /api/ext is Anabranch's own. Answers hold exactly the fields shown here. Fields of a request that are not shown are ignored, except in the metadata of a commit, where they are refused."),
        tags = {
            @Tag(name = "config", description = "The server, and settings kept in the repository"),
            @Tag(name = "references", description = "Branches and tags"),
            @Tag(name = "reads", description = "What a commit holds, where it comes from, how it differs from another"),
            @Tag(name = "writes", description = "New commits on a branch"),
            @Tag(name = "keys", description = "Keys with their past, and what lies below them"),
            @Tag(name = "reverts", description = "New commits that take changes back"),
            @Tag(name = "access", description = "What the caller may see")
        },
        components =
                @Components(
                        parameters = {
                            @Parameter(
                                    name = "ref",
                                    in = ParameterIn.PATH,
                                    description =
                                            "A branch or tag, - for the default branch, name@hash for a commit of it, @hash for a detached commit; then any number of steps: ~n for the n-th predecessor, ^n for the n-th parent, *time for the newest commit that is not younger",
                                    example = "main"),
                            @Parameter(
                                    name = "branch",
                                    in = ParameterIn.PATH,
                                    description =
                                            "A branch with its expected commit, as name@hash: where the caller believes"
                                                    + " the touched keys to be as they are",
                                    example = "main@2e1cfa82b035c26cbbbdae632cea070514eb8b773f616aaeaf668e2f0be8f10d"),
                            @Parameter(
                                    name = "from-ref",
                                    in = ParameterIn.PATH,
                                    description = "As ref of the other operations",
                                    example = "main"),
                            @Parameter(
                                    name = "to-ref",
                                    in = ParameterIn.PATH,
                                    description = "As ref of the other operations",
                                    example = "main"),
                            @Parameter(
                                    name = "key",
                                    in = ParameterIn.PATH,
                                    description =
                                            "Elements joined with dots; a dot within an element is written %1D or %00, or the key starts with a dot and escapes with *",
                                    example = "sales.orders"),
                            @Parameter(
                                    name = "fetch",
                                    in = ParameterIn.QUERY,
                                    description =
                                            "ALL for the metadata of references and the operations of commits too",
                                    schema =
                                            @Schema(
                                                    type = SchemaType.STRING,
                                                    enumeration = {"MINIMAL", "ALL"},
                                                    defaultValue = "MINIMAL")),
                            @Parameter(
                                    name = "filter",
                                    in = ParameterIn.QUERY,
                                    description = "An expression of the Common Expression Language; empty for none",
                                    schema = @Schema(type = SchemaType.STRING, maxLength = 4096)),
                            @Parameter(
                                    name = "max-records",
                                    in = ParameterIn.QUERY,
                                    description =
                                            "Largest number of items in the page, after filtering; 0 or less for the most"
                                                    + " that the server gives",
                                    schema = @Schema(type = SchemaType.INTEGER, format = "int32")),
                            @Parameter(
                                    name = "page-token",
                                    in = ParameterIn.QUERY,
                                    description =
                                            "Of the page before, asked for with the same parameters; empty for the first"),
                            @Parameter(
                                    name = "content",
                                    in = ParameterIn.QUERY,
                                    description = "true for the contents too",
                                    schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false")),
                            @Parameter(name = "min-key", in = ParameterIn.QUERY, description = "Inclusive lower bound"),
                            @Parameter(name = "max-key", in = ParameterIn.QUERY, description = "Inclusive upper bound"),
                            @Parameter(
                                    name = "prefix-key",
                                    in = ParameterIn.QUERY,
                                    description = "The key that is listed with all below it; not beside bounds"),
                            @Parameter(
                                    name = "parent-key",
                                    in = ParameterIn.QUERY,
                                    description = "The key below which to look; absent for the root"),
                            @Parameter(
                                    name = "limit-hash",
                                    in = ParameterIn.QUERY,
                                    description = "The last commit to show, on the line of the first one"),
                            @Parameter(
                                    name = "with-doc",
                                    in = ParameterIn.QUERY,
                                    description = "Accepted; contents carry no documentation",
                                    schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false")),
                            @Parameter(
                                    name = "for-write",
                                    in = ParameterIn.QUERY,
                                    description =
                                            "Whether the caller intends to write the keys, and wants to be told now if they"
                                                    + " may not",
                                    schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false")),
                            @Parameter(
                                    name = "scan-commits",
                                    in = ParameterIn.QUERY,
                                    description = "How many commits below the head to check",
                                    schema = @Schema(type = SchemaType.INTEGER, format = "int32")),
                            @Parameter(
                                    name = "name",
                                    in = ParameterIn.QUERY,
                                    required = true,
                                    description = "Name of the new reference"),
                            @Parameter(
                                    name = "type",
                                    in = ParameterIn.QUERY,
                                    description = "The kind of the reference",
                                    schema =
                                            @Schema(
                                                    type = SchemaType.STRING,
                                                    enumeration = {"BRANCH", "branch", "TAG", "tag"})),
                            @Parameter(
                                    name = "Nessie-Client-Spec",
                                    in = ParameterIn.HEADER,
                                    description =
                                            "Version of the protocol that the client knows; errors have details from 2 on",
                                    example = "2.2.0"),
                            @Parameter(
                                    name = "Idempotency-Key",
                                    in = ParameterIn.HEADER,
                                    description =
                                            "Names the request, so that it is applied once however often it is sent"),
                            @Parameter(
                                    name = "Nessie-Commit-Message",
                                    in = ParameterIn.HEADER,
                                    description = "Replaces the message of the new commit"),
                            @Parameter(
                                    name = "Nessie-Commit-Authors",
                                    in = ParameterIn.HEADER,
                                    description = "Adds authors to the new commit, separated by commas"),
                            @Parameter(
                                    name = "Nessie-Commit-SignedOffBy",
                                    in = ParameterIn.HEADER,
                                    description = "Adds sign-offs to the new commit, separated by commas")
                        },
                        responses = {
                            @APIResponse(
                                    name = "BadRequest",
                                    description =
                                            "A parameter or the body cannot be read, or is beyond a limit; the message"
                                                    + " names it with its value and what it takes",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "Unauthorized",
                                    description =
                                            "The server asks who is calling, and the request has no token or none that"
                                                    + " counts; the answer has no body"),
                            @APIResponse(
                                    name = "Forbidden",
                                    description =
                                            "The rules of the server do not let the caller do that; the message names what is"
                                                    + " missing",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "NotFound",
                                    description =
                                            "The reference, commit or key is not there, or the caller may not know of it",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "NotAcceptable",
                                    description = "The client does not accept application/json",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "Conflict",
                                    description =
                                            "The reference or a key is not as the caller believes; nothing was written",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "TooLarge",
                                    description = "The body is larger than the server takes",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "UnsupportedMediaType",
                                    description = "The body is not application/json, or its encoding is not known",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "Busy",
                                    description = "Too many writes wait for the branch; nothing was written",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class))),
                            @APIResponse(
                                    name = "Unavailable",
                                    description =
                                            "The store is unavailable, or did not say whether it wrote; the message tells"
                                                    + " which",
                                    content =
                                            @Content(
                                                    mediaType = MediaType.APPLICATION_JSON,
                                                    schema = @Schema(implementation = ErrorBody.class)))
                        }))
@NullMarked
package org.anabranch.api;

import jakarta.ws.rs.core.MediaType;
import org.anabranch.api.v2.ErrorBody;
import org.eclipse.microprofile.openapi.annotations.Components;
import org.eclipse.microprofile.openapi.annotations.OpenAPIDefinition;
import org.eclipse.microprofile.openapi.annotations.enums.ParameterIn;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.info.Info;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;
import org.jspecify.annotations.NullMarked;
