import { gatewayRules } from '../access/gateway-settings.ts'
import { configuredIssuers } from '../access/issuer-settings.ts'
import { keyUrl } from '../access/key-url.ts'
import { sharedPrefixes } from '../access/name-prefixes.ts'
import { errorMessage } from '../lib/error-message.ts'
import { EXPECTED_DATABASE_URL, parseDatabaseUrl } from '../lib/database-url.ts'
import { checkWebOrigin } from '../lib/web-origin.ts'
import type { FoundationValues } from '../capability/foundation-settings.ts'

/** Clients may always request tokens that are valid for ten minutes. */
const MIN_TOKEN_AGE = 600

/** The problems of settings that are valid one by one. */
export function problemsOf(values: FoundationValues): readonly string[] {
  return [...contradictions(values), ...unusable(values)]
}

/** Problems that the parts using a setting would report, found before anything is started. */
function unusable(values: FoundationValues): string[] {
  const { corsOrigins, jwtJwksUrl } = values
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
  return [...problems, ...databaseProblems(values)]
}

function databaseProblems(values: FoundationValues): string[] {
  const { databaseUrl, databaseDirectUrl, databaseReplicaUrls } = values
  const dependent = {
    DATABASE_DIRECT_URL: databaseDirectUrl === null ? [] : [databaseDirectUrl],
    DATABASE_REPLICA_URLS: databaseReplicaUrls,
  }
  const urls = {
    DATABASE_URL: databaseUrl === null ? [] : [databaseUrl],
    ...dependent,
  }
  const problems = Object.entries(urls).flatMap(([name, all]) =>
    all.every((url) => parseDatabaseUrl(url) !== null) ? [] : [`${name}: ${EXPECTED_DATABASE_URL}`],
  )
  if (databaseUrl !== null) return problems
  const unused = Object.entries(dependent).filter(([, all]) => all.length > 0)
  return [...problems, ...unused.map(([name]) => `${name} is set without DATABASE_URL`)]
}

function contradictions(values: FoundationValues): string[] {
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
  problems.push(...sharedPrefixes(configuredIssuers(values)), ...tenantProblems(values))
  if ((values.tlsCertFile === null) !== (values.tlsKeyFile === null)) {
    problems.push('TLS: set cert and key, or neither')
  }
  if (values.tlsSelfSigned && values.tlsCertFile !== null) {
    problems.push('TLS: self-signed and cert are both set: set one')
  }
  if (values.authorization === 'rbac' && (!hasKeys || values.authDisabled)) {
    problems.push(
      "AUTHORIZATION: 'rbac' needs authentication: set JWT_JWKS_URL, JWT_JWKS_FILE or JWT_ISSUERS, and not AUTH_DISABLED",
    )
  }
  if (values.serviceAccountTokenMaxAge < MIN_TOKEN_AGE) {
    problems.push(`SERVICE_ACCOUNT_TOKENS: max-age: expected at least ${MIN_TOKEN_AGE / 60}m`)
  }
  const isLoopback = /^(localhost|::1|127(\.\d{1,3}){3})$/.test(values.host)
  if (!hasKeys && !values.authDisabled && !isLoopback) {
    problems.push(
      `HOST: '${values.host}' is not a loopback address and no JWT key set is configured: ` +
        'set JWT_JWKS_URL, JWT_JWKS_FILE or JWT_ISSUERS, or AUTH_DISABLED=true to accept every request',
    )
  }
  return problems
}

/** Issuers can only be bound to tenants that requests can have. */
function tenantProblems({ jwtIssuers, tenantHeaders }: FoundationValues): string[] {
  const names = tenantHeaders.map(({ dimension }) => dimension)
  return jwtIssuers.flatMap(({ tenants, keysFrom }) => {
    if (tenants === null) return []
    const setting = `${keysFrom.setting}.tenants`
    if (names.length === 0) return [`${setting} needs TENANT_HEADERS`]
    const unknown = tenants.flatMap(Object.keys).find((name) => !names.includes(name))
    if (unknown === undefined) return []
    return [`${setting}: TENANT_HEADERS has no dimension '${unknown}', only ${names.join(', ')}`]
  })
}

/** With several issuers, a token's `iss` selects the key set, so every issuer needs a distinct one. */
function ambiguousIssuers({ jwtIssuer, jwtIssuers }: FoundationValues): string[] {
  if (jwtIssuer === null)
    return ['JWT_ISSUER: required if JWT_ISSUERS is set, and not one of its issuers']
  const isListed = jwtIssuers.some(({ issuer }) => issuer === jwtIssuer)
  return isListed ? [`JWT_ISSUER: JWT_ISSUERS lists '${jwtIssuer}' too: configure it once`] : []
}
