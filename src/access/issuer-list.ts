import type { TenantDimensions } from './tenant.ts'
import { type IssuerSettings, keySourceOf, type KeyLocation } from './issuer-settings.ts'
import { isNamePart } from './name-prefixes.ts'

/** The fields of an entry, with the names that HyperFleet's configuration file uses. */
const FIELDS = [
  'issuer_url',
  'audience',
  'jwk_cert_url',
  'jwk_cert_file',
  'identity_claim',
  'identity_claim_pattern',
  'username_prefix',
  'groups_claim',
  'groups_prefix',
  'tenants',
] as const

type Field = (typeof FIELDS)[number]
type Entry = Readonly<Partial<Record<Exclude<Field, 'tenants'>, string>>> & {
  readonly tenants?: unknown
}

/** Fields that may be empty. */
const PREFIXES: ReadonlySet<string> = new Set<Field>(['username_prefix', 'groups_prefix'])

/** Reads JWT_ISSUERS: a JSON array of issuers, each with its own key set. */
export function readIssuers(text: string): readonly IssuerSettings[] {
  const entries = parse(text)
  const issuers = entries.map((entry, index) => issuerOf(entryOf(entry, index), index))
  for (const [index, { issuer }] of issuers.entries()) {
    const first = issuers.findIndex((other) => other.issuer === issuer)
    if (first < index) throw new Error(`[${index}] has the issuer_url of [${first}]: '${issuer}'`)
  }
  return issuers
}

function parse(text: string): readonly unknown[] {
  let value: unknown = null
  try {
    value = JSON.parse(text)
  } catch {
    // The error below covers it: the parser's message would quote the value.
  }
  if (Array.isArray(value)) return value
  throw new Error(
    'expected a JSON array such as [{"issuer_url":"https://sso.example.com","jwk_cert_url":"https://sso.example.com/keys"}]',
  )
}

function entryOf(value: unknown, index: number): Entry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`[${index}] is not an object`)
  }
  for (const [field, content] of Object.entries(value)) {
    if (!FIELDS.some((name) => name === field)) {
      throw new Error(`[${index}] has the unknown field '${field}': use ${FIELDS.join(', ')}`)
    }
    if (field === 'tenants' || (PREFIXES.has(field) && content === '')) continue
    if (typeof content !== 'string' || content === '') {
      throw new Error(`[${index}].${field} is not a non-empty string`)
    }
  }
  return value
}

function issuerOf(entry: Entry, index: number): IssuerSettings {
  if (entry.issuer_url === undefined) throw new Error(`[${index}].issuer_url is required`)
  const settings = {
    keysFrom: keyLocation(entry, index),
    issuer: entry.issuer_url,
    audience: entry.audience ?? null,
    identityClaim: entry.identity_claim ?? null,
    identityPattern: patternOf(entry.identity_claim_pattern, index),
    usernamePrefix: prefixOf(entry, 'username_prefix', index),
    groupsClaim: entry.groups_claim ?? null,
    groupsPrefix: prefixOf(entry, 'groups_prefix', index),
    tenants: entry.tenants === undefined ? null : tenantsOf(entry.tenants, `[${index}].tenants`),
  }
  if (entry.groups_prefix !== undefined && entry.groups_claim === undefined) {
    throw new Error(`[${index}].groups_prefix needs groups_claim: without it, users have no groups`)
  }
  // Rejects an unusable URL before the server starts.
  keySourceOf(settings)
  return settings
}

function keyLocation(entry: Entry, index: number): KeyLocation {
  const { jwk_cert_url: url, jwk_cert_file: file } = entry
  const setting = `JWT_ISSUERS[${index}]`
  if (url !== undefined && file === undefined) return { type: 'url', address: url, setting }
  if (file !== undefined && url === undefined) return { type: 'file', address: file, setting }
  throw new Error(`[${index}] needs either jwk_cert_url or jwk_cert_file`)
}

/** The prefix of names; by default that of Kubernetes. */
function prefixOf(entry: Entry, field: 'username_prefix' | 'groups_prefix', index: number): string {
  const prefix = entry[field] ?? `${entry.issuer_url ?? ''}#`
  if (prefix.startsWith('system:')) {
    throw new Error(`[${index}].${field}: names that begin with system: are reserved`)
  }
  if (!isNamePart(prefix)) throw new Error(`[${index}].${field} has control characters`)
  return prefix
}

/** Reads tenants such as `[{"org":"acme"}]`. Their dimensions are compared with TENANT_HEADERS later. */
function tenantsOf(value: unknown, path: string): readonly TenantDimensions[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isTenant)) return value
  throw new Error(`${path}: expected a list of tenants such as [{"org":"acme"}]`)
}

function isTenant(value: unknown): value is TenantDimensions {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const dimensions = Object.values(value)
  return (
    dimensions.length > 0 && dimensions.every((each) => typeof each === 'string' && each !== '')
  )
}

function patternOf(source: string | undefined, index: number): RegExp | null {
  if (source === undefined) return null
  try {
    return new RegExp(source, 'u')
  } catch (error) {
    throw new Error(`[${index}].identity_claim_pattern is not a valid regular expression`, {
      cause: error,
    })
  }
}
