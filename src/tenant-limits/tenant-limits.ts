import { encodeTenant, NO_TENANT } from '../access/tenant.ts'
import { isJsonObject, type JsonValue } from '../lib/json/json.ts'
import { readInteger } from '../lib/settings/setting.ts'

/** The names of limits. The database counts all but watches. */
const LIMITED = ['resources', 'planes', 'objects', 'fleets', 'watches'] as const

type Limited = (typeof LIMITED)[number]

/** The most that a tenant may have of each. */
type Limits = Readonly<Partial<Record<Limited, number>>>

/** The limits of one tenant, or with NO_TENANT those of every tenant without other ones. */
export interface TenantLimits {
  readonly tenant: string
  readonly dimensions: readonly string[]
  readonly limits: Limits
}

const EXPECTED =
  'expected limits such as resources=10000,fleets=10 or [{"limits":{"fleets":10}},{"tenancy":{"org":"acme"},"limits":{"fleets":50}}]'

/** Reads TENANT_LIMITS: the limits of every tenant, or a JSON array that also has those of some tenants. */
export function readTenantLimits(text: string): readonly TenantLimits[] {
  const entries = text.trim().startsWith('[') ? readEntries(text) : [sharedLimits(text)]
  const tenants = entries.map(({ tenant }) => tenant)
  const repeated = tenants.find((tenant, index) => tenants.indexOf(tenant) < index)
  if (repeated === undefined) return entries
  throw new Error(`two entries are for ${repeated === NO_TENANT ? 'all tenants' : repeated}`)
}

function sharedLimits(text: string): TenantLimits {
  const pairs = text.split(',').map((pair) => pair.trim().split('='))
  const limits = pairs.map(([name = '', value = '', ...rest]) => {
    if (rest.length > 0) throw new Error(`${EXPECTED}, found '${text}'`)
    return [name, value] as const
  })
  const names = limits.map(([name]) => name)
  const repeated = names.find((name, index) => names.indexOf(name) < index)
  if (repeated !== undefined) throw new Error(`'${repeated}' appears twice`)
  return { tenant: NO_TENANT, dimensions: [], limits: limitsOf(limits) }
}

function readEntries(text: string): readonly TenantLimits[] {
  const entries = parseJson(text)
  if (!Array.isArray(entries)) throw new Error(`${EXPECTED}, found '${text}'`)
  return entries.map((entry: JsonValue) => {
    if (!isJsonObject(entry) || !isJsonObject(entry['limits'])) throw new Error(EXPECTED)
    const unknown = Object.keys(entry).find((name) => name !== 'tenancy' && name !== 'limits')
    if (unknown !== undefined) throw new Error(`an entry has the unknown field '${unknown}'`)
    const numbers = Object.entries(entry['limits'])
    const limits = limitsOf(numbers.map(([name, value]) => [name, JSON.stringify(value)]))
    const stated = entry['tenancy'] ?? {}
    if (!isJsonObject(stated)) throw new Error(EXPECTED)
    const tenancy = Object.entries(stated).map(([dimension, value]) => {
      if (typeof value !== 'string') throw new Error(`'${dimension}' of a tenancy is not a text`)
      return [dimension, value] as const
    })
    const tenant = tenancy.length === 0 ? NO_TENANT : encodeTenant(Object.fromEntries(tenancy))
    return { tenant, dimensions: tenancy.map(([dimension]) => dimension), limits }
  })
}

function limitsOf(pairs: readonly (readonly [string, string])[]): Limits {
  return Object.fromEntries(
    pairs.map(([name, value]) => {
      if (!LIMITED.some((limited) => limited === name)) {
        throw new Error(`'${name}' has no limit: expected one of ${LIMITED.join(', ')}`)
      }
      return [name, readInteger(value, { min: 0 })]
    }),
  )
}

function parseJson(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The most watches of a tenant; null without a limit. */
export function watchLimitOf(limits: readonly TenantLimits[], tenant: string): number | null {
  const of = (owner: string): number | undefined =>
    limits.find((each) => each.tenant === owner)?.limits.watches
  return of(tenant) ?? of(NO_TENANT) ?? null
}
