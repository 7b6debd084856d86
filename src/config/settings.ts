import { readIssuers } from '../core/auth/issuer-list.ts'
import type { IssuerSettings } from '../core/auth/issuer-settings.ts'
import { readTenantHeaders, type TenantHeader } from '../core/auth/tenant-headers.ts'
import { gatewayRules } from '../core/auth/gateway-settings.ts'
import { MAX_PAGE_SIZE } from '../core/model/page-size.ts'
import { checkWebOrigin } from '../lib/web-origin.ts'
import { keyUrl } from '../core/auth/key-url.ts'
import type { Kind } from '../core/registry/kind.ts'
import { errorMessage } from '../lib/error-message.ts'
import { misspeltSettings } from './misspelt-settings.ts'
import { LOG_FORMATS } from '../lib/log/open-log.ts'
import {
  choice,
  commaList,
  duration,
  flag,
  integer,
  jsonList,
  optionalText,
  port,
  type Setting,
  text,
} from './setting.ts'

/** Every setting but those of the kinds: the one table, and this file the one reader of `process.env`. */
export const SETTINGS = {
  host: text({
    env: 'HOST',
    default: '127.0.0.1',
    doc: 'Address of all three listeners. One that is not loopback needs JWT settings or AUTH_DISABLED=true.',
  }),
  port: port({
    env: 'PORT',
    default: 8000,
    doc: 'Port of the API; 0 takes a free one, which the log names.',
  }),
  healthPort: port({ env: 'HEALTH_PORT', default: 8080, doc: 'Port of /healthz and /readyz.' }),
  metricsPort: port({ env: 'METRICS_PORT', default: 9090, doc: 'Port of /metrics.' }),
  databaseUrl: optionalText({
    env: 'DATABASE_URL',
    doc: 'PostgreSQL 15 or newer, `postgresql://user:password@host:5432/name`. Unset: an embedded PostgreSQL is started in DATA_DIR.',
  }),
  dataDir: text({
    env: 'DATA_DIR',
    default: '.flotilla',
    doc: 'Where the embedded PostgreSQL keeps its data.',
  }),
  logLevel: choice({
    env: 'LOG_LEVEL',
    of: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    default: 'info',
    doc: 'Least level that is logged.',
  }),
  logFormat: choice({
    env: 'LOG_FORMAT',
    of: LOG_FORMATS,
    default: 'auto',
    doc: 'Form of log lines: `json`, or `pretty` for people. `auto` is pretty on a terminal, else JSON.',
  }),
  revision: optionalText({
    env: 'FLOTILLA_REVISION',
    doc: 'Commit that the server was built from, for the metric `flotilla_build_info`; set by the image.',
  }),
  defaultPageSize: integer({
    env: 'HYPERFLEET_DEFAULT_PAGE_SIZE',
    min: 1,
    max: MAX_PAGE_SIZE,
    default: 100,
    doc: 'Items of a page if the request has no pageSize.',
  }),
  conditionFamily: choice({
    env: 'HYPERFLEET_CONDITIONS',
    of: ['v0.1', 'latest', 'both'],
    default: 'both',
    doc: 'Which aggregated conditions answers show: Available and Ready (v0.1), Reconciled and LastKnownReconciled (latest), or all four (both).',
  }),
  entitiesFile: optionalText({
    env: 'FLOTILLA_CONFIG',
    doc: 'YAML file with configured kinds and changes to the built-in kinds: see docs/configured-kinds.md.',
  }),
  openapiSchemaPath: optionalText({
    env: 'OPENAPI_SCHEMA_PATH',
    doc: 'OpenAPI file whose components `<Kind>Spec` (ClusterSpec, NodePoolSpec) replace the free-form spec schemas.',
  }),
  labelsBumpGeneration: flag({
    env: 'LABELS_BUMP_GENERATION',
    shared: true,
    default: false,
    doc: 'Whether a change of labels alone raises `generation`, as newer HyperFleet has it.',
  }),
  jwtJwksUrl: optionalText({
    env: 'JWT_JWKS_URL',
    doc: 'URL of the JSON Web Key Set that tokens are verified against.',
  }),
  jwtJwksFile: optionalText({ env: 'JWT_JWKS_FILE', doc: 'The same as a file.' }),
  jwtIssuer: optionalText({
    env: 'JWT_ISSUER',
    shared: true,
    doc: 'Required `iss` of tokens; unset: not checked.',
  }),
  jwtAudience: optionalText({
    env: 'JWT_AUDIENCE',
    shared: true,
    doc: 'Required `aud` of tokens; unset: not checked.',
  }),
  jwtGroupsClaim: text({
    env: 'JWT_GROUPS_CLAIM',
    shared: true,
    default: 'groups',
    doc: "Claim with the groups of a token's user: a list of names, or one name. Names that begin with `system:` are ignored.",
  }),
  jwtIssuers: {
    env: 'JWT_ISSUERS',
    shared: true,
    type: 'JSON array of issuers',
    default: [] as readonly IssuerSettings[],
    doc: 'Further issuers, each `{"issuer_url","audience","jwk_cert_url" or "jwk_cert_file","identity_claim","identity_claim_pattern"}`: see docs/authentication.md.',
    read: readIssuers,
  },
  trustedProxies: commaList({
    env: 'TRUSTED_PROXIES',
    shared: true,
    default: [],
    doc: 'Addresses and networks of the gateway whose headers are trusted (`10.0.0.0/8,fd00::1`). From all others, the headers below are ignored.',
  }),
  identityHeader: text({
    env: 'IDENTITY_HEADER',
    shared: true,
    default: 'X-HyperFleet-Identity',
    doc: "The header in which the gateway states the caller's identity.",
  }),
  systemHeader: text({
    env: 'SYSTEM_HEADER',
    shared: true,
    default: 'X-HyperFleet-System',
    doc: 'The header that the gateway sets to `true` for sentinels and adapters, which work for all tenants.',
  }),
  tenantHeaders: {
    env: 'TENANT_HEADERS',
    shared: true,
    type: 'comma list of dimension=header',
    default: [] as readonly TenantHeader[],
    doc: 'The headers in which the gateway states the tenant (`org=X-Tenant-Org,project=X-Tenant-Project`). Unset: no tenancy.',
    read: readTenantHeaders,
  },
  authDisabled: flag({
    env: 'AUTH_DISABLED',
    shared: true,
    default: false,
    doc: 'Accept every request without a token, on any address.',
  }),
  corsOrigins: commaList({
    env: 'CORS_ORIGINS',
    default: [],
    doc: 'Origins of browser UIs that may call the API, or `*`.',
  }),
  unknownParameters: choice({
    env: 'UNKNOWN_PARAMETERS',
    shared: true,
    of: ['reject', 'ignore'],
    default: 'reject',
    doc: 'Whether a query parameter that a route does not take is answered 400 (reject) or has no effect (ignore).',
  }),
  databasePoolSize: integer({
    env: 'DATABASE_POOL_SIZE',
    min: 2,
    max: 1000,
    default: 20,
    doc: 'Connections to PostgreSQL at most.',
  }),
  databaseConnectTimeoutMs: integer({
    env: 'DATABASE_CONNECT_TIMEOUT_MS',
    min: 100,
    default: 5000,
    doc: 'How long a statement waits for a connection before the answer is 503.',
  }),
  statementTimeoutMs: integer({
    env: 'STATEMENT_TIMEOUT_MS',
    min: 100,
    default: 10_000,
    doc: 'How long a statement may run; a search that runs longer is answered 429.',
  }),
  searchSlots: integer({
    env: 'SEARCH_SLOTS',
    min: 1,
    default: 8,
    doc: 'Searches that may run at once.',
  }),
  searchWaitMs: integer({
    env: 'SEARCH_WAIT_MS',
    min: 0,
    default: 5000,
    doc: 'How long a search waits for a slot before it is answered 429.',
  }),
  readCacheBytes: integer({
    env: 'READ_CACHE_BYTES',
    min: 0,
    default: 134_217_728,
    doc: 'Memory for resources that were read: a version that is kept is not read again. 0 keeps none.',
  }),
  reportCacheBytes: integer({
    env: 'REPORT_CACHE_BYTES',
    min: 0,
    default: 134_217_728,
    doc: 'Memory for the reports that were stored last: one that repeats them is stored without reading anything; 50 000 take about 40 MB. 0 keeps none.',
  }),
  snapshotCacheBytes: integer({
    env: 'VIEW_MAX_BYTES',
    min: 0,
    default: 268_435_456,
    doc: 'Memory for the clusters that snapshots are served from, with all below them; the least recently used fall out and are read again. 0 keeps none.',
  }),
  feedRetention: duration({
    env: 'FEED_RETENTION',
    shared: true,
    default: '1h',
    doc: 'How long the log keeps changes: a watch can be resumed so long after it broke off.',
  }),
  feedRetentionChanges: integer({
    env: 'FEED_RETENTION_CHANGES',
    shared: true,
    min: 1000,
    default: 1_000_000,
    doc: 'How many changes the log keeps at most, however young they are.',
  }),
  watchLimit: integer({
    env: 'WATCH_LIMIT',
    min: 0,
    default: 10_000,
    doc: 'Watches that may be open at a time; one more is answered 429.',
  }),
  watchBufferBytes: integer({
    env: 'WATCH_BUFFER_BYTES',
    min: 1024,
    default: 1_048_576,
    doc: 'What may wait for the client of a watch; one that is slower is cut off, and resumes.',
  }),
  watchTotalBufferBytes: integer({
    env: 'WATCH_TOTAL_BUFFER_BYTES',
    min: 16_777_216,
    default: 268_435_456,
    doc: 'Memory for what waits for the clients of all watches together; the slowest are closed when it is full, and resume.',
  }),
  watchHeartbeat: duration({
    env: 'WATCH_HEARTBEAT',
    default: '15s',
    doc: 'How often a watch says that it lives, and how far it has come.',
  }),
  watchMaxAge: duration({
    env: 'WATCH_MAX_AGE',
    default: '1h',
    doc: 'A watch ends when it is this old at most, and half of this at least; the client resumes.',
  }),
  bodyLimitBytes: integer({
    env: 'BODY_LIMIT_BYTES',
    shared: true,
    min: 1024,
    default: 1_048_576,
    doc: 'Largest request body.',
  }),
  strictConfiguration: flag({
    env: 'STRICT_CONFIGURATION',
    default: false,
    doc: 'Whether a server stays not ready while an older live server of the database has another configuration.',
  }),
  shutdownTimeoutMs: integer({
    env: 'SHUTDOWN_TIMEOUT_MS',
    min: 0,
    default: 20_000,
    doc: 'How long requests in flight may take to finish after SIGTERM.',
  }),
} as const satisfies Record<string, Setting<unknown>>

type Values = {
  readonly [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']>
}

/** The settings of one server. */
export interface Config extends Values {
  /** Required adapters by kind. */
  readonly requiredAdapters: ReadonlyMap<string, readonly string[]>
}

/** Settings that cannot be used; every problem is listed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** The setting with a kind's required adapters. */
function adapterSetting(kind: Kind): Setting<readonly string[]> {
  return jsonList({
    env: `HYPERFLEET_${kind.singular.toUpperCase()}_ADAPTERS`,
    default: kind.requiredAdapters,
    doc: `Adapters whose reports make a ${kind.kind} Ready and Available.`,
  })
}

/** All settings of a server with these kinds, as `--help` and the documentation list them. */
export function settingsOf(kinds: readonly Kind[]): readonly Setting<unknown>[] {
  return [...Object.values(SETTINGS), ...kinds.map(adapterSetting)]
}

/** The file that declares kinds, read before all other settings: some follow from the kinds. */
export function entitiesFileOf(env: NodeJS.ProcessEnv = process.env): string | null {
  return env[SETTINGS.entitiesFile.env] || SETTINGS.entitiesFile.default
}

/** A line for each environment variable that is probably a misspelt setting. */
export function misspellings(
  kinds: readonly Kind[],
  env: NodeJS.ProcessEnv = process.env,
): readonly string[] {
  const settings = settingsOf(kinds).map((setting) => setting.env)
  return misspeltSettings(env, settings).map(
    ({ variable, suggestion }) => `${variable} is not a setting: did you mean ${suggestion}?`,
  )
}

/** Reads the settings from the environment; an empty variable counts as unset. */
export function readConfig(kinds: readonly Kind[], env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const read = <T>(setting: Setting<T>): T => {
    const value = env[setting.env] ?? ''
    if (value === '') return setting.default
    try {
      return setting.read(value)
    } catch (error) {
      problems.push(`${setting.env}: ${errorMessage(error)}`)
      return setting.default
    }
  }
  const entries = Object.entries(SETTINGS).map(([name, setting]) => [name, read<unknown>(setting)])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value was read by its own row
  const values = Object.fromEntries(entries) as Values
  const adapters = kinds.map((kind) => [kind.kind, read(adapterSetting(kind))] as const)
  problems.push(...contradictions(values), ...refusals(values))
  if (problems.length > 0) {
    throw new ConfigError(`invalid settings:\n${problems.map((line) => `  - ${line}`).join('\n')}`)
  }
  return { ...values, requiredAdapters: new Map(adapters) }
}

/** What the parts that use a setting refuse about it, before anything is started. */
function refusals(values: Values): string[] {
  const { corsOrigins, jwtJwksUrl, databaseUrl } = values
  const checks = [
    () => corsOrigins.forEach((origin) => checkWebOrigin('CORS_ORIGINS', origin)),
    () => jwtJwksUrl !== null && keyUrl(jwtJwksUrl),
    () => gatewayRules(values),
  ]
  const problems = checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      return [errorMessage(error)]
    }
  })
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    problems.push('DATABASE_URL: expected postgresql://user:password@host:5432/name')
  }
  return problems
}

function contradictions(values: Values): string[] {
  const problems: string[] = []
  const hasSingle = values.jwtJwksUrl !== null || values.jwtJwksFile !== null
  const hasKeys = hasSingle || values.jwtIssuers.length > 0
  if (values.jwtJwksUrl !== null && values.jwtJwksFile !== null) {
    problems.push('JWT_JWKS_URL and JWT_JWKS_FILE are both set: set one')
  }
  if (!hasSingle && (values.jwtIssuer !== null || values.jwtAudience !== null)) {
    problems.push('JWT_ISSUER or JWT_AUDIENCE is set without JWT_JWKS_URL or JWT_JWKS_FILE')
  }
  if (hasSingle && values.jwtIssuers.length > 0) problems.push(...ambiguousIssuers(values))
  if (!hasKeys && !values.authDisabled && !isLoopback(values.host)) {
    problems.push(
      `HOST: '${values.host}' is not a loopback address and no JWT key set is configured: ` +
        'set JWT_JWKS_URL, JWT_JWKS_FILE or JWT_ISSUERS, or AUTH_DISABLED=true to accept every request',
    )
  }
  return problems
}

/** With several issuers, a token's `iss` chooses the keys, so each issuer needs its own. */
function ambiguousIssuers({ jwtIssuer, jwtIssuers }: Values): string[] {
  if (jwtIssuer === null)
    return ['JWT_ISSUER: required beside JWT_ISSUERS, which it must differ from']
  const isListed = jwtIssuers.some(({ issuer }) => issuer === jwtIssuer)
  return isListed ? [`JWT_ISSUER: JWT_ISSUERS lists '${jwtIssuer}' too: configure it once`] : []
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}
