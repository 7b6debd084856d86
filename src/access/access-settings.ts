import { type AdministratorName, readAdministrators } from './administrators.ts'
import { readAllowedHosts } from './allowed-hosts.ts'
import { readIssuerUrl } from './issuer-settings.ts'
import { readPublicUrl } from './public-url.ts'
import { type EncryptionKey, readEncryptionKeys } from '../lib/encryption/encryption-keys.ts'
import { choice, commaList, duration, type Setting } from '../lib/settings/setting.ts'

/** The settings for browsers, authorization, the tokens of service accounts, and encryption. */
export const ACCESS_SETTINGS = {
  allowedHosts: {
    env: 'ALLOWED_HOSTS',
    reloadable: true,
    type: 'comma list of names',
    default: [] as readonly string[],
    doc: 'Names of this server that the `Host` header may contain while requests need no token (`flotilla.example.com,*.fleet.internal`). IP addresses, `localhost` and the name in PUBLIC_URL are always accepted: see docs/authentication.md#names-of-the-server.',
    read: readAllowedHosts,
  },
  publicUrl: {
    env: 'PUBLIC_URL',
    reloadable: true,
    type: 'URL',
    default: null as string | null,
    doc: 'URL of the API and the console as browsers see it, such as `https://flotilla.example.com`. Only its pages, and those of CORS_ORIGINS, may send writes. If unset, the host and port of the `Host` header count.',
    read: readPublicUrl,
  },
  corsOrigins: commaList({
    env: 'CORS_ORIGINS',
    reloadable: true,
    default: [],
    doc: 'Origins of the web pages that may call the API, or `*`. While requests need no token, `*` allows only reads.',
  }),
  authorization: choice({
    env: 'AUTHORIZATION',
    shared: true,
    of: ['none', 'rbac'],
    default: 'none',
    doc: 'Who may do what: every authenticated caller may do everything (none), or the roles in the root plane and in the planes of clusters decide (rbac, which needs authentication): see docs/authorization.md.',
  }),
  authorizationAdmins: {
    env: 'AUTHORIZATION_ADMINS',
    shared: true,
    type: 'comma list of user:name and group:name',
    default: [] as readonly AdministratorName[],
    doc: 'The first administrators (`user:ada@example.com,group:platform`): they may do everything, without a role.',
    read: readAdministrators,
  },
  serviceAccountIssuer: {
    env: 'SERVICE_ACCOUNT_TOKENS',
    member: 'issuer',
    former: 'SERVICE_ACCOUNT_ISSUER',
    shared: true,
    type: 'URL',
    default: 'https://flotilla.local',
    doc: 'URL of this server as other services see it, without a trailing slash. The tokens of service accounts name their plane below it as their issuer.',
    read: readIssuerUrl,
  },
  serviceAccountTokenMaxAge: duration({
    env: 'SERVICE_ACCOUNT_TOKENS',
    member: 'max-age',
    former: 'SERVICE_ACCOUNT_TOKEN_MAX_AGE',
    shared: true,
    default: '1d',
    doc: 'Maximum validity of the tokens of service accounts, at least 10m. Longer requests are shortened.',
  }),
  secretsEncryptionKeys: {
    env: 'SECRETS_ENCRYPTION_KEY',
    type: 'comma list of id:key',
    default: [] as readonly EncryptionKey[],
    doc: 'Keys that encrypt the Secrets of planes and of templates in the database (`2026:<32 bytes in base64>`). The first one encrypts, all decrypt. If unset, Secrets are stored as they are.',
    read: readEncryptionKeys,
  },
} as const satisfies Record<string, Setting<unknown>>
