import { readIssuers } from '../access/issuer-list.ts'
import type { IssuerSettings } from '../access/issuer-settings.ts'
import { readTenantHeaders, type TenantHeader } from '../access/tenant-headers.ts'
import { MAX_PAGE_SIZE } from '../store/model/page-size.ts'
import type { Kind } from '../store/registry/kind.ts'
import { readSettings, type ValuesOf } from '../lib/settings/read-settings.ts'
import { throwIfInvalid } from '../lib/settings/config-error.ts'
import { DATABASE_SETTINGS } from '../store/database/database-settings.ts'
import { SANDBOX_SETTINGS } from '../sandboxes/sandbox-settings.ts'
import { PLANE_SETTINGS } from '../planes/plane-settings.ts'
import { misspeltSettings } from '../lib/settings/misspelt-settings.ts'
import { derivedValues, type DerivedValues } from './derived-values.ts'
import { readRetiredSettings, RETIRED_SETTINGS, retirements } from './retired-settings.ts'
import { problemsOf } from './setting-problems.ts'
import { programEnvironment } from '../lib/settings/program-environment.ts'
import { RATE_LIMIT_SETTINGS } from '../http/requests/rate-limit-settings.ts'
import { OBSERVABILITY_SETTINGS } from '../http/observability/observability-settings.ts'
import { AUDIT_SETTINGS } from '../audit/audit-settings.ts'
import { ACCESS_SETTINGS } from '../access/access-settings.ts'
import { PROCESS_SETTINGS } from '../lib/settings/process-settings.ts'
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
} from '../lib/settings/setting.ts'
import { SHARD_SETTINGS } from '../shards/shard-settings.ts'
import { SHUTDOWN_SETTINGS } from '../http/server/shutdown-settings.ts'
import { SNAPSHOT_SETTINGS } from '../snapshots/snapshot-settings.ts'
import { WEBHOOK_SETTINGS } from '../webhooks/webhook-settings.ts'

/** The table of all settings except those of the kinds. Only this folder reads `process.env`. */
export const SETTINGS = {
  host: text({
    env: 'HOST',
    default: '127.0.0.1',
    doc: 'Address of all three listeners. An address other than loopback requires JWT settings or AUTH_DISABLED=true.',
  }),
  port: port({
    env: 'PORT',
    default: 8000,
    doc: 'Port of the API. 0 selects a free port; the log shows it.',
  }),
  healthPort: port({
    env: 'HEALTH_PORT',
    default: 8080,
    doc: 'Port of /healthz, /livez and /readyz.',
  }),
  metricsPort: port({ env: 'METRICS_PORT', default: 9090, doc: 'Port of /metrics.' }),
  tlsCertFile: optionalText({
    env: 'TLS_CERT_FILE',
    doc: 'PEM file with the certificate of the API, followed by its intermediates. The API is then served over HTTPS only, and the file is read again when it changes. The health and metrics ports stay on plain HTTP.',
  }),
  tlsKeyFile: optionalText({
    env: 'TLS_KEY_FILE',
    doc: 'PEM file with the private key of TLS_CERT_FILE.',
  }),
  tlsSelfSigned: flag({
    env: 'TLS_SELF_SIGNED',
    default: false,
    doc: 'Serve the API over HTTPS with a self-signed certificate, for local use. The server creates it in DATA_DIR; clients trust DATA_DIR/tls/ca.crt.',
  }),
  ...DATABASE_SETTINGS,
  ...SHARD_SETTINGS,
  ...PROCESS_SETTINGS,
  revision: optionalText({
    env: 'FLOTILLA_REVISION',
    doc: 'Commit that the server was built from, for the metric `flotilla_build_info`. The image sets it.',
  }),
  defaultPageSize: integer({
    env: 'HYPERFLEET_DEFAULT_PAGE_SIZE',
    min: 1,
    max: MAX_PAGE_SIZE,
    default: 100,
    doc: 'Items per page if the request has no pageSize.',
  }),
  conditionFamily: choice({
    env: 'HYPERFLEET_CONDITIONS',
    of: ['v0.1', 'latest', 'both'],
    default: 'both',
    doc: 'Aggregated conditions in responses: Available and Ready (v0.1), Reconciled and LastKnownReconciled (latest), or all four (both).',
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
    doc: 'Whether a change of labels alone raises `generation`, as in newer HyperFleet versions.',
  }),
  jwtJwksUrl: optionalText({
    env: 'JWT_JWKS_URL',
    doc: 'URL of the JSON Web Key Set that verifies tokens.',
  }),
  jwtJwksFile: optionalText({
    env: 'JWT_JWKS_FILE',
    doc: 'File with the JSON Web Key Set, instead of a URL.',
  }),
  jwtIssuer: optionalText({
    env: 'JWT_ISSUER',
    shared: true,
    doc: 'Required `iss` of tokens. If unset, it is not checked.',
  }),
  jwtAudience: optionalText({
    env: 'JWT_AUDIENCE',
    shared: true,
    doc: 'Required `aud` of tokens. If unset, it is not checked.',
  }),
  jwtGroupsClaim: text({
    env: 'JWT_GROUPS_CLAIM',
    shared: true,
    default: 'groups',
    doc: 'Claim with the groups of the users of `JWT_JWKS_URL` or `JWT_JWKS_FILE`: a list of names, or one name. Names that begin with `system:` are ignored. Issuers of `JWT_ISSUERS` have a `groups_claim` each.',
  }),
  jwtIssuers: {
    env: 'JWT_ISSUERS',
    shared: true,
    type: 'JSON array of issuers',
    default: [] as readonly IssuerSettings[],
    doc: 'Additional issuers, each `{"issuer_url","audience","jwk_cert_url" or "jwk_cert_file","identity_claim","identity_claim_pattern","username_prefix","groups_claim","groups_prefix","tenants"}`: see docs/authentication.md.',
    read: readIssuers,
  },
  trustedProxies: commaList({
    env: 'TRUSTED_PROXIES',
    shared: true,
    default: [],
    doc: 'Addresses and networks of the trusted gateway (`10.0.0.0/8,fd00::1`). The headers below are ignored in requests from other addresses.',
  }),
  identityHeader: text({
    env: 'IDENTITY_HEADER',
    shared: true,
    default: 'X-HyperFleet-Identity',
    doc: "Header with the caller's identity, set by the gateway.",
  }),
  systemHeader: text({
    env: 'SYSTEM_HEADER',
    shared: true,
    default: 'X-HyperFleet-System',
    doc: 'Header that the gateway sets to `true` for sentinels and adapters, which work for all tenants.',
  }),
  tenantHeaders: {
    env: 'TENANT_HEADERS',
    shared: true,
    type: 'comma list of dimension=header',
    default: [] as readonly TenantHeader[],
    doc: "Headers with the caller's tenant, set by the gateway (`org=X-Tenant-Org,project=X-Tenant-Project`). If unset, the server has no tenancy.",
    read: readTenantHeaders,
  },
  authDisabled: flag({
    env: 'AUTH_DISABLED',
    shared: true,
    default: false,
    doc: 'Accept every request without a token, on any address.',
  }),
  ...ACCESS_SETTINGS,
  ...AUDIT_SETTINGS,
  ...PLANE_SETTINGS,
  ...SNAPSHOT_SETTINGS,
  ...SANDBOX_SETTINGS,
  ...OBSERVABILITY_SETTINGS,
  ...RATE_LIMIT_SETTINGS,
  console: choice({
    env: 'CONSOLE',
    of: ['on', 'off'],
    default: 'on',
    doc: 'Whether the server serves the [console](console.md) at `/console`.',
  }),
  role: choice({
    env: 'ROLE',
    of: ['all', 'api', 'controllers'],
    default: 'all',
    doc: 'Part of the program that this process runs: the API (api), the controllers of planes (controllers), or both (all). Of several processes with controllers, one runs them at a time.',
  }),
  webhookAllowedHosts: commaList({
    env: 'WEBHOOK_ALLOWED_HOSTS',
    shared: true,
    default: [],
    doc: 'Servers that planes may call for webhooks and APIServices: names (`hooks.example.com`, `*.example.com`, `*`) and addresses or networks (`10.0.0.0/8`). A name that resolves to a private address is allowed only if the address is listed too. A name or address after `http://` may be called without TLS. If unset, planes call no servers.',
  }),
  ...WEBHOOK_SETTINGS,
  unknownParameters: choice({
    env: 'UNKNOWN_PARAMETERS',
    shared: true,
    of: ['reject', 'ignore'],
    default: 'reject',
    doc: 'The effect of an unknown query parameter: the request fails with 400 (reject), or the parameter has no effect (ignore).',
  }),
  cacheBytes: integer({
    env: 'CACHE_BYTES',
    min: 0,
    default: 536_870_912,
    doc: 'Memory for caches: half of it for snapshots (clusters with all their descendants), a quarter for resources, and a quarter for the roles, definitions and other configuration of planes. The least recently used entries are evicted and read again. 0 turns the caches off.',
  }),
  feedRetention: duration({
    env: 'FEED_RETENTION',
    shared: true,
    default: '1h',
    doc: 'Retention of the logs of changes, also of those of planes. A watch that broke off can resume within this time.',
  }),
  feedRetentionChanges: integer({
    env: 'FEED_RETENTION_CHANGES',
    shared: true,
    min: 1000,
    default: 1_000_000,
    doc: 'Maximum number of changes in the log, regardless of their age. The log of a plane may have a tenth of them.',
  }),
  watchLimit: integer({
    env: 'WATCH_LIMIT',
    min: 0,
    default: 10_000,
    doc: 'Maximum number of open watches. Further requests fail with 429.',
  }),
  watchHeartbeat: duration({
    env: 'WATCH_HEARTBEAT',
    default: '15s',
    doc: 'Interval between bookmarks or comments that show that a watch is alive, with its resource version.',
  }),
  watchMaxAge: duration({
    env: 'WATCH_MAX_AGE',
    default: '1h',
    doc: 'Maximum age of a watch. It ends at a random time between half of this and this; the client resumes.',
  }),
  bodyLimitBytes: integer({
    env: 'BODY_LIMIT_BYTES',
    shared: true,
    min: 1024,
    default: 1_048_576,
    doc: 'Maximum size of a request body. A bulk creation may have 16 MiB, or this if it is more, and each of its items has this limit.',
  }),
  strictConfiguration: flag({
    env: 'STRICT_CONFIGURATION',
    default: false,
    doc: 'Whether a server stays unready while an older live server of the same database has a different configuration.',
  }),
  verifyOpenapi: flag({
    env: 'VERIFY_OPENAPI',
    default: false,
    doc: 'Whether express-openapi-validator checks every request and response against the OpenAPI document as well. If it disagrees with the validation of the server, the response is 500. For tests: it is slow.',
  }),
  ...SHUTDOWN_SETTINGS,
} as const satisfies Record<string, Setting<unknown>>

/** The values of the settings by name. */
export type SettingValues = ValuesOf<typeof SETTINGS>

/** The settings of one server. */
export interface Config extends SettingValues, DerivedValues {
  /** Required adapters by kind. */
  readonly requiredAdapters: ReadonlyMap<string, readonly string[]>
}

/** The setting with a kind's required adapters. */
function adapterSetting(kind: Kind): Setting<readonly string[]> {
  return jsonList({
    env: adapterVariable(kind),
    default: kind.requiredAdapters,
    doc: `Adapters whose reports make a ${kind.kind} Ready and Available.`,
  })
}

/** The variable with a kind's required adapters. */
export function adapterVariable({ singular }: Pick<Kind, 'singular'>): string {
  return `HYPERFLEET_${singular.toUpperCase()}_ADAPTERS`
}

/** All settings of a server with these kinds, as `--help` and the documentation list them. */
export function settingsOf(kinds: readonly Kind[]): readonly Setting<unknown>[] {
  return [...Object.values(SETTINGS), ...kinds.map(adapterSetting)]
}

/** The file that declares kinds. It is read first because other settings depend on the kinds. */
export function kindsFileOf(env: NodeJS.ProcessEnv = programEnvironment()): string | null {
  return env[SETTINGS.entitiesFile.env] || SETTINGS.entitiesFile.default
}

/** A line for each variable that is retired, or probably a misspelt setting. */
export function settingWarnings(
  kinds: readonly Kind[],
  env: NodeJS.ProcessEnv = programEnvironment(),
): readonly string[] {
  const settings = settingsOf(kinds).map((setting) => setting.env)
  const retired = RETIRED_SETTINGS.map((setting) => setting.env)
  const misspelt = misspeltSettings(env, settings, retired).map(
    ({ variable, suggestion }) => `${variable} is not a setting: did you mean ${suggestion}?`,
  )
  return [...retirements(env), ...misspelt]
}

/** Reads the settings from the environment; an empty variable counts as unset. */
export function readConfig(
  kinds: readonly Kind[],
  env: NodeJS.ProcessEnv = programEnvironment(),
): Config {
  const { values, read, problems } = readSettings(SETTINGS, env)
  const adapters = kinds.map((kind) => [kind.kind, read(adapterSetting(kind))] as const)
  const retired = readRetiredSettings(env)
  throwIfInvalid([...problems, ...retired.problems, ...problemsOf(values)])
  const derived = { ...derivedValues(values), ...retired.values }
  return { ...values, ...derived, requiredAdapters: new Map(adapters) }
}
