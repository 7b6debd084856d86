import type { JsonObject } from '../../lib/json/json.ts'

/** The operations that an API can serve for every kind. */
export const VERBS = [
  'list',
  'create',
  'create-many',
  'get',
  'get-by-name',
  'upsert',
  'patch',
  'delete',
  'force-delete',
  'list-statuses',
  'report-status',
  'put-status',
  'list-changes',
  'list-history',
] as const
export type Verb = (typeof VERBS)[number]

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

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

const STATUS_VERBS: ReadonlySet<Verb> = new Set(['list-statuses', 'report-status', 'put-status'])

/** The parts of a declaration that determine its operations. */
interface Serving {
  readonly verbs?: readonly Verb[]
  readonly hasStatuses?: boolean
  readonly withAllKinds?: boolean
}

/** Whether a kind serves an operation. A kind without statuses serves none on them. */
export function serves({ verbs, hasStatuses = true }: Serving, verb: Verb): boolean {
  return (hasStatuses || !STATUS_VERBS.has(verb)) && (verbs?.includes(verb) ?? true)
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
