import { rootIdentity } from './access/root-identity.ts'
import type { Context } from '../store/operations/context.ts'
import { listByName } from '../store/operations/objects/list-by-name.ts'
import { unchangedSince } from '../store/operations/objects/unchanged-since.ts'
import { createResource } from '../store/operations/write/create-resource.ts'
import { deleteResource } from '../store/operations/write/delete-resource.ts'
import { patchResource } from '../store/operations/write/patch-resource.ts'
import { readForUpdate } from '../store/resources/read-for-update.ts'
import type { Desired } from '../store/model/resource-fields.ts'
import { NO_OWNER, type Resource } from '../store/model/resource.ts'
import { NO_TENANT } from '../access/tenant.ts'
import type { ObjectWrite, WriteOutcome } from '../store/objects/model/object-write.ts'
import type { StoredObject } from '../store/objects/model/stored-object.ts'
import type { RegisteredKind } from '../store/registry/kind.ts'
import { jsonViolations } from '../http/json/check-json.ts'
import { FlotillaError, invalid } from '../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../lib/json/json.ts'
import { jsonText } from '../lib/json/json-text.ts'
import type { DesiredRules } from '../hyperfleet/validation/desired-rules.ts'
import type { ConditionFamily } from '../hyperfleet/statuses/conditions/condition-family.ts'
import { objectInvalid } from '../planes/errors/failures.ts'
import { KubeError } from '../planes/errors/kube-error.ts'
import type { ResourceStore } from '../planes/model/resource-store.ts'
import { resourceKey, type ResourceType } from '../planes/model/resource-type.ts'
import { type Exposure, exposedObject } from './exposed-object.ts'
import { followChanges } from './follow-changes.ts'
import { ROOT_PLANE } from './plane-directory.ts'
import type { ResourceRoots } from './resource-roots.ts'

/** The rules of request bodies of the HyperFleet API. They throw `invalid`. */
export interface BodyRules {
  /** The members of a create request with defaults. */
  readonly create: (kind: RegisteredKind, body: JsonObject) => Desired
  /** The state after a change. */
  readonly change: DesiredRules
}

interface Options {
  readonly context: Context
  readonly kind: RegisteredKind
  readonly type: ResourceType
  readonly family: ConditionFamily
  readonly rules: BodyRules
  readonly roots: Pick<ResourceRoots, 'isRoot' | 'scopeOf'>
}

const CONFLICT: WriteOutcome = { status: 'conflict' }

/** Reads and writes the resources of a kind as objects of planes. */
export function createExposedStore(options: Options): ResourceStore {
  const { context, kind, type, family, roots } = options
  const exposureOf = (plane: string): Exposure => ({
    kind,
    plane,
    resource: resourceKey(type),
    family,
  })
  const ownerOf = (plane: string): string => (kind.parent ? plane : NO_OWNER)
  const store: ResourceStore = {
    read: async ({ plane, name }) => {
      const byName = { operator: 'equals', field: 'metadata.name', value: name } as const
      const selector = { labels: [], fields: [byName] }
      const query = { plane, resource: '', namespace: '', selector, limit: 1, after: null }
      return (await store.list(query)).objects[0] ?? null
    },
    list: async ({ plane, selector, limit, after }) => {
      const page = await listByName(context.database, {
        kind: kind.kind,
        tenant: await roots.scopeOf(plane),
        ownerId: ownerOf(plane),
        selector,
        after: after?.name ?? null,
        limit: limit === null ? null : limit + 1,
      })
      const exposure = exposureOf(plane)
      const objects = page.resources.map((resource) =>
        exposedObject(exposure, resource, page.revision),
      )
      const hasMore = limit !== null && objects.length > limit
      return {
        objects: hasMore ? objects.slice(0, limit) : objects,
        revision: page.revision,
        remaining: hasMore ? null : 0,
        hasMore,
      }
    },
    write: async (write, requester) => {
      try {
        const { plane } = write.key
        const root = roots.isRoot(plane) ? plane : ROOT_PLANE.plane
        const user = rootIdentity({ plane, root }, requester).name
        const outcome = await writeExposed(options, exposureOf(plane), { write, user })
        // The next attempt reads a revision that includes the change that came first.
        if (outcome.status === 'conflict') await context.feed.sequencer.catchUp()
        return outcome
      } catch (error) {
        return outcomeOf(options, write, error)
      }
    },
    follow: async ({ plane }, after, subscriber) => {
      const tenant = await roots.scopeOf(plane)
      const scope = { ...exposureOf(plane), tenant, ownerId: ownerOf(plane) }
      return followChanges(context.feed.broadcaster, { scope, after }, subscriber)
    },
  }
  return store
}

async function writeExposed(
  options: Options,
  exposure: Exposure,
  { write, user }: { readonly write: ObjectWrite; readonly user: string },
): Promise<WriteOutcome> {
  const { context, kind, rules, roots } = options
  const caller = { user }
  const tenant = await roots.scopeOf(exposure.plane)
  if (write.type === 'create') {
    const body = { kind: kind.kind, name: write.key.name, ...declared(write.body) }
    const ownerId = kind.parent ? exposure.plane : null
    const outcome = await createResource(context, {
      tenant: tenant ?? NO_TENANT,
      kind,
      ownerId,
      name: write.key.name,
      caller,
      ...rules.create(kind, body),
    })
    return 'created' in outcome ? written(context, exposure, outcome.created) : CONFLICT
  }
  const version = await unchangedSince(context.database, write.uid, write.revision ?? 0n)
  if (version === null) return CONFLICT
  const target = { tenant, kind, id: write.uid, ownerId: null }
  const precondition = (current: Resource): boolean => current.version === version
  if (write.type === 'remove' || isDeleted(write.body)) {
    const deleted = await deleteResource(context, target, { precondition, caller })
    return written(context, exposure, deleted)
  }
  const next = declared(write.body)
  const { resource } = await patchResource(context, target, {
    change: (current) => rules.change(kind, next, current),
    precondition,
    caller,
  })
  return written(context, exposure, resource)
}

/** The object after a write, once the log contains it. */
async function written(
  { feed, database }: Context,
  exposure: Exposure,
  resource: Resource,
): Promise<WriteOutcome> {
  const revision = await feed.sequencer.catchUp()
  const { kind, id } = resource
  const current = (await readForUpdate(database, { kind, id }))?.resource ?? resource
  const object: StoredObject = exposedObject(exposure, current, revision)
  return { status: 'written', revision, object }
}

/** The fields that clients declare. Resources hold only integers that a double holds exactly. */
function declared(body: JsonObject): JsonObject {
  const { spec = {}, metadata } = body
  const violations = jsonViolations(jsonText({ spec }))
  if (violations.length > 0) throw invalid(violations)
  const { labels = {}, annotations = {} } = isJsonObject(metadata) ? metadata : {}
  return { spec, labels, annotations }
}

function isDeleted({ metadata }: JsonObject): boolean {
  return isJsonObject(metadata) && metadata['deletionTimestamp'] !== undefined
}

/** The outcome of a rejected write, or the error in the terms of planes. */
function outcomeOf({ type }: Options, { key }: ObjectWrite, error: unknown): WriteOutcome {
  if (!(error instanceof FlotillaError) || error instanceof KubeError) throw error
  switch (error.reason) {
    case 'already-exists':
      return { status: 'exists' }
    case 'precondition-failed':
    case 'not-found':
      return CONFLICT
    case 'state-conflict':
      throw new KubeError('state-conflict', error.message, { code: 409, statusReason: 'Conflict' })
    case 'invalid':
      throw objectInvalid(
        type,
        key.name,
        error.causes.map(({ field, message, value }) => ({
          field,
          reason: 'FieldValueInvalid',
          message: `Invalid value: ${quoted(value)}: ${message}`,
        })),
      )
    default:
      throw error
  }
}

function quoted(value: unknown): string {
  const json: JsonValue = JSON.parse(JSON.stringify(value ?? null))
  return JSON.stringify(json).slice(0, 128)
}
