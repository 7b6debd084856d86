import type { Access } from '../../access/authorizer.ts'
import { must } from '../../lib/assert.ts'
import type { JsonObject } from '../../lib/json/json.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** How a verb appears in the API. */
export interface VerbDeclaration {
  readonly verb: string
  readonly method: Method
  /** The subject of the path: all resources of the kind, one by its id, or one by its name. */
  readonly of: 'collection' | 'item' | 'name'
  /** The rest of the path. */
  readonly suffix: `/${string}` | ''
  /** The access that callers need. Verbs that need `create` create resources. */
  readonly access: Access['verb']
  /** Whether a capability implements it, which other servers lack. */
  readonly isAdded?: true
}

/** The suffix of the verbs that only kinds with statuses have. They access this subresource. */
const STATUSES = '/statuses'

/** The operations that an API can serve for every kind. Routes, access and documents follow from them. */
export const VERB_DECLARATIONS = [
  { verb: 'list', method: 'get', of: 'collection', suffix: '', access: 'list' },
  { verb: 'create', method: 'post', of: 'collection', suffix: '', access: 'create' },
  { verb: 'create-many', method: 'post', of: 'collection', suffix: '/bulk', access: 'create' },
  { verb: 'get', method: 'get', of: 'item', suffix: '', access: 'get' },
  { verb: 'get-by-name', method: 'get', of: 'name', suffix: '', access: 'get' },
  // The verb also requires the access `patch`.
  { verb: 'upsert', method: 'put', of: 'name', suffix: '', access: 'create' },
  { verb: 'patch', method: 'patch', of: 'item', suffix: '', access: 'patch' },
  { verb: 'delete', method: 'delete', of: 'item', suffix: '', access: 'delete' },
  {
    verb: 'force-delete',
    method: 'post',
    of: 'item',
    suffix: '/force-delete',
    access: 'forcedelete',
  },
  { verb: 'list-statuses', method: 'get', of: 'item', suffix: STATUSES, access: 'list' },
  { verb: 'report-status', method: 'post', of: 'item', suffix: STATUSES, access: 'update' },
  { verb: 'put-status', method: 'put', of: 'item', suffix: STATUSES, access: 'update' },
  // A change contains what the resource contained.
  {
    verb: 'list-changes',
    method: 'get',
    of: 'item',
    suffix: '/changes',
    access: 'get',
    isAdded: true,
  },
  {
    verb: 'list-history',
    method: 'get',
    of: 'item',
    suffix: '/history',
    access: 'get',
    isAdded: true,
  },
] as const satisfies readonly VerbDeclaration[]

type Declared = (typeof VERB_DECLARATIONS)[number]
export type Verb = Declared['verb']
/** The verbs of kinds that capabilities implement. */
export type AddedVerb = Extract<Declared, { readonly isAdded: true }>['verb']
export const VERBS: readonly Verb[] = VERB_DECLARATIONS.map(({ verb }) => verb)

const DECLARATION_OF = new Map<Verb, VerbDeclaration>(
  VERB_DECLARATIONS.map((declaration) => [declaration.verb, declaration]),
)

/** The declaration of a verb. */
export function declarationOf(verb: Verb): VerbDeclaration {
  return must(DECLARATION_OF.get(verb) ?? null, 'a declaration of each verb')
}

/** The access that callers of a verb need. */
export function accessOfVerb(verb: Verb): Pick<Access, 'verb' | 'subresource'> {
  const { access, suffix } = declarationOf(verb)
  return { verb: access, subresource: suffix === STATUSES ? 'statuses' : null }
}

/** The segments below an item that verbs use. */
export const VERB_SEGMENTS: readonly string[] = VERB_DECLARATIONS.flatMap(({ of, suffix }) =>
  of === 'item' && suffix !== '' ? [suffix.slice(1)] : [],
)

/** An operation of one kind, on a path below the resource: `PUT /fleets/{fleet_id}/scale`. */
export interface Subresource {
  /** The last segment of the path: `scale`. */
  readonly segment: string
  readonly method: Method
  /** The name of the handler that the API provides. */
  readonly handler: string
  /**
   * The OpenAPI operation, without the path's parameters and the problem response. It takes a JSON
   * body if it has a `requestBody`.
   */
  readonly operation: JsonObject & { readonly operationId: string }
}

/** The parts of a declaration that determine its operations. */
interface Serving {
  readonly verbs?: readonly Verb[]
  readonly hasStatuses?: boolean
  readonly withAllKinds?: boolean
}

/** Whether a kind serves an operation. A kind without statuses serves none on them. */
export function serves({ verbs, hasStatuses = true }: Serving, verb: Verb): boolean {
  return (hasStatuses || declarationOf(verb).suffix !== STATUSES) && (verbs?.includes(verb) ?? true)
}

interface Kinds<K> {
  readonly kinds: readonly K[]
}

/** The kinds whose resources can be listed. */
export function listableKinds<K extends Serving>({ kinds }: Kinds<K>): readonly K[] {
  return kinds.filter((kind) => serves(kind, 'list'))
}

/** The kinds whose resources appear in lists of all kinds. */
export function kindsOfAll<K extends Serving>(registry: Kinds<K>): readonly K[] {
  return listableKinds(registry).filter(({ withAllKinds = true }) => withAllKinds)
}
