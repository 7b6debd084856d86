/** Rules of a topic by their id. Markdown. */
export type RuleTopics = Readonly<Record<string, Readonly<Record<string, string>>>>

/** The rules of Kubernetes that planes keep. Tests cite them by id, which never changes. */
export const PLANES_RULES: RuleTopics = {
  'Identity and content': {
    R1: 'A `uid` belongs to one object and is never used again. Preconditions, owner references and service accounts compare it.',
    R2: '`generateName` appends a random suffix, and tries up to 8 names until one is free.',
    R3: "Names, labels, annotations and finalizers follow Kubernetes' syntax. Annotations have at most 256 KiB, an object 1.5 MiB, and a request 3 MiB. U+0000 is 422.",
    R4: '`generation` rises if the content changes, and when the deletion begins. It ignores metadata and status.',
    R5: 'Fields that the system maintains, such as `uid` and `creationTimestamp`, are ignored in the input or kept.',
    R6: 'A write without a change keeps the resource version and causes no event.',
  },
  Concurrency: {
    R7: 'A PUT or PATCH with a stale `metadata.resourceVersion` is 409 `Conflict`.',
    R8: 'A PUT with an empty `resourceVersion` is unconditional. The server repeats a PATCH without one up to 5 times, and a PATCH with one never.',
    R9: 'A deletion compares the preconditions `uid` and `resourceVersion`, and is 409 if one differs.',
  },
  Reads: {
    R10: 'A read without `resourceVersion` returns the latest commit, on every server. A read with one returns that version or a later one: it waits up to 3 s, then 504. `Exact` is 410 unless the version is the current one.',
    R11: 'A list with `limit` returns a signed `continue` token for the same list only. Each page shows its own time with the resource version of the first page, and a watch from there converges.',
    R12: 'Label selectors have all operators. `!=` and `notin` also match objects without the key, and an unknown operator is 400.',
    R13: 'Field selectors support `metadata.name`, `metadata.namespace`, the fields that a type declares, and the `selectableFields` of a definition. Other fields are 400.',
    R14: 'Responses are objects, tables or metadata, as JSON or YAML, according to `Accept`. Bodies may be JSON or YAML, and protobuf for built-in kinds.',
    R15: 'SQL and the evaluation in memory select the same objects.',
  },
  Watches: {
    R16: 'A watch sends each change once, in the order of the commits. When a watch of a plane sends a change, the server also sends the older ones that wait in other watches of the plane. An object that enters a selector is ADDED, and one that leaves it is DELETED.',
    R17: 'A watch without a resource version first sends the existing objects, and one with a version only later changes. `sendInitialEvents` ends them with an annotated bookmark.',
    R18: 'A version before the history is 410 `Expired`, in a running watch as an ERROR event. A version of the future waits 3 s, then 504.',
    R19: 'A quiet watch receives a bookmark after each `heartbeat` of `WATCHES`, and one before its end. A watch ends after `timeoutSeconds`, or at a random time of at least half of `max-age` of `WATCHES`.',
  },
  Writes: {
    R20: 'JSON patches, merge patches and strategic merge patches have the results of Kubernetes. A strategic merge patch of a custom resource is 415.',
    R21: 'Server-side apply tracks the fields of each manager. A conflict is 409 and names manager and field, `force` takes the field over, and fields that no manager applies any more are removed.',
    R22: '`dryRun=All` runs every step of a write and stores nothing.',
    R23: '`fieldValidation` ignores, warns about, or rejects unknown and duplicate fields. The number and size of `Warning` headers are limited.',
    R24: 'Status, scale and other subresources change only their part of an object.',
    R25: 'Defaults are set before validation. Writing an object back as it was read changes nothing.',
  },
  'Deletion and namespaces': {
    R26: 'Finalizers delay the removal until the write that removes the last one. An object that is being deleted accepts no new ones.',
    R27: '`propagationPolicy` deletes dependents in the background, before their owner, or keeps them.',
    R28: 'The deletion of a collection deletes each object through the normal path, page by page.',
    R29: 'A namespace deletes its content first, reports the rest in its conditions, and rejects creates with 403 and a cause.',
    R30: 'The garbage collector reads an owner by `uid` before it decides that the owner is absent. It never acts on owners in other namespaces.',
  },
  'Admission and access': {
    R31: 'Mutating webhooks run in order, then validating webhooks and policies. They have timeouts, failure policies, selectors and match conditions, and reach only hosts in `WEBHOOK_ALLOWED_HOSTS`. Quotas hold for concurrent creates.',
    R32: 'Roles follow RBAC with aggregation and the verbs `bind` and `escalate`. A caller who may not see a kind gets 403 before 404.',
    R33: 'A snapshot contains only resources that its caller may list.',
    R34: 'Impersonation headers need the permission to impersonate each named value.',
    R35: 'Tokens of service accounts are signed by the server, expire, and are valid in one plane and for one audience. They end with their account or bound secret.',
  },
  Extension: {
    R36: 'Custom resource definitions have structural schemas, pruning, defaults, ratcheting, limited CEL rules, conversion, subresources, columns and selectable fields. All servers serve a new definition.',
    R37: 'An APIService delegates a group version to another server with the identity of the caller. If that server fails, only its group is 503.',
  },
  Errors: {
    R38: "Errors are Status objects with Kubernetes' codes, reasons, details and causes.",
  },
}
