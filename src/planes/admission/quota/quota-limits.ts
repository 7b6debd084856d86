import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import {
  isJsonNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../lib/json/json.ts'
import { parseQuantity } from '../../expressions/quantity.ts'

export const QUOTAS = 'resourcequotas'

const KEY = Symbol('quota limits')
const COUNT = 'count/'

/** Core resources that a quota also counts under their plain names. */
const PLAIN_NAMES: ReadonlySet<string> = new Set([
  'configmaps',
  'secrets',
  'services',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
])

/** A limit that a quota sets for the number of objects of a resource. */
export interface QuotaLimit {
  readonly quota: string
  /** The name in the quota, such as `count/configmaps`. */
  readonly counted: string
  /** The key of the resource in storage. */
  readonly resource: string
  readonly max: number
}

/** The limits of the quotas in a plane by namespace. */
export function quotaLimits(
  configuration: PlaneConfiguration,
): ReadonlyMap<string, readonly QuotaLimit[]> {
  return configuration.derive(KEY, [QUOTAS], (current) => {
    const byNamespace = new Map<string, QuotaLimit[]>()
    for (const quota of current.objects(QUOTAS)) {
      const limits = byNamespace.get(quota.namespace) ?? []
      limits.push(...limitsOf(quota))
      byNamespace.set(quota.namespace, limits)
    }
    return byNamespace
  })
}

/** The limits of one quota. Quotas with scopes concern pods only. */
export function limitsOf({ name, body }: Pick<StoredObject, 'name' | 'body'>): QuotaLimit[] {
  const { spec } = body
  if (!isJsonObject(spec) || hasScopes(spec) || !isJsonObject(spec['hard'])) return []
  return Object.entries(spec['hard']).flatMap(([counted, quantity]) => {
    const resource = resourceOf(counted)
    const max = countOf(quantity)
    return resource === null || max === null ? [] : [{ quota: name, counted, resource, max }]
  })
}

function hasScopes({ scopes, scopeSelector }: JsonObject): boolean {
  return (Array.isArray(scopes) && scopes.length > 0) || isJsonObject(scopeSelector)
}

function resourceOf(counted: string): string | null {
  if (counted.startsWith(COUNT)) return counted.slice(COUNT.length)
  return PLAIN_NAMES.has(counted) ? counted : null
}

const NANOS_PER_UNIT = 1_000_000_000n

/** PostgreSQL counts up to this number; larger limits have no effect. */
const MAX_COUNT = 2n ** 31n - 1n

/** The number of a quantity such as `5` or `1k`; null if it is not one. */
function countOf(quantity: JsonValue | undefined): number | null {
  const isText = typeof quantity === 'string' || isJsonNumber(quantity)
  const parsed = isText ? parseQuantity(String(quantity)) : null
  if (parsed === null || parsed.nanos < 0n) return null
  const count = parsed.nanos / NANOS_PER_UNIT
  return Number(count < MAX_COUNT ? count : MAX_COUNT)
}
