import {
  commaList,
  flag,
  optionalText,
  retired,
  type Setting,
  text,
} from '../lib/settings/setting.ts'
import { readIssuers } from './issuer-list.ts'
import type { IssuerSettings } from './issuer-settings.ts'
import { readTenantHeaders, type TenantHeader } from './tenant-headers.ts'

/** Settings of tokens, and of the headers of a trusted gateway. */
export const AUTHENTICATION_SETTINGS = {
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
  jwtGroupsClaim: retired({
    env: 'JWT_GROUPS_CLAIM',
    shared: true,
    doc: 'the claim is groups, and an issuer of JWT_ISSUERS may have another groups_claim',
    read: (value) => value,
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
    env: 'GATEWAY_HEADERS',
    member: 'identity',
    former: 'IDENTITY_HEADER',
    shared: true,
    default: 'X-HyperFleet-Identity',
    doc: "Header with the caller's identity, set by the gateway.",
  }),
  systemHeader: text({
    env: 'GATEWAY_HEADERS',
    member: 'system',
    former: 'SYSTEM_HEADER',
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
} as const satisfies Record<string, Setting<unknown>>
