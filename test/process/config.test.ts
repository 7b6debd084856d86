import { ConfigError } from '../../src/lib/settings/config-error.ts'
import { describe, expect, it } from 'vitest'
import { kindsFileOf, readConfig, settingsOf } from '../../src/cmd/settings.ts'
import { cluster } from '../../src/hyperfleet/kinds/cluster/kind.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'

describe('the settings', () => {
  it('have the documented defaults', () => {
    expect(readConfig(kinds, {})).toMatchObject({
      host: '127.0.0.1',
      port: 8000,
      healthPort: 8080,
      metricsPort: 9090,
      databaseUrl: null,
      defaultPageSize: 100,
      conditionFamily: 'both',
      bodyLimitBytes: 1_048_576,
    })
  })

  it('accept required adapters per kind, with the declared ones as default', () => {
    const config = readConfig(kinds, { HYPERFLEET_CLUSTER_ADAPTERS: '["a","b"]' })
    expect(config.requiredAdapters.get('Cluster')).toEqual(['a', 'b'])
    expect(config.requiredAdapters.get('NodePool')).toEqual(['validator', 'hypershift'])
  })

  it('include the settings of each kind', () => {
    expect(kindsFileOf({ FLOTILLA_CONFIG: 'fleet.yaml' })).toBe('fleet.yaml')
    expect(kindsFileOf({ FLOTILLA_CONFIG: '' })).toBeNull()
    expect(kindsFileOf({})).toBeNull()
    const channel = { ...cluster, kind: 'Channel', singular: 'channel', requiredAdapters: ['a'] }
    const settings = settingsOf([channel])
    expect(settings.at(-1)).toMatchObject({ env: 'HYPERFLEET_CHANNEL_ADAPTERS', default: ['a'] })
    const env = { HYPERFLEET_CHANNEL_ADAPTERS: '["b"]' }
    expect(readConfig([channel], env).requiredAdapters).toEqual(new Map([['Channel', ['b']]]))
  })

  it('name no other adapters for a kind that the server reports on', () => {
    const view = { ...cluster, kind: 'View', singular: 'view', isReportedByServer: true }
    expect(settingsOf([cluster, view]).map(({ env }) => env)).not.toContain(
      'HYPERFLEET_VIEW_ADAPTERS',
    )
    const config = readConfig([cluster, view], { HYPERFLEET_VIEW_ADAPTERS: '["other"]' })
    expect(config.requiredAdapters.has('View')).toBe(false)
  })

  it('reject authorization without authentication', () => {
    const env = { AUTHORIZATION: 'rbac', AUTHORIZATION_ADMINS: 'user:ada,group:ops' }
    expect(() => readConfig(kinds, env)).toThrow("AUTHORIZATION: 'rbac' needs authentication")
    const file = { ...env, JWT_JWKS_FILE: 'keys.json' }
    expect(() => readConfig(kinds, { ...file, AUTH_DISABLED: 'true' })).toThrow('AUTHORIZATION')
    expect(readConfig(kinds, file)).toMatchObject({
      authorization: 'rbac',
      authorizationAdmins: [
        { type: 'user', name: 'ada' },
        { type: 'group', name: 'ops' },
      ],
    })
  })

  it('reject malformed encryption keys without repeating them', () => {
    const attempt = () => readConfig(kinds, { SECRETS_ENCRYPTION_KEY: '2026:c2VjcmV0' })
    expect(attempt).toThrow("SECRETS_ENCRYPTION_KEY: entry 1 ('2026'): expected a key of 32 bytes")
    expect(attempt).not.toThrow('c2VjcmV0')
  })

  it('reject a validity of tokens below ten minutes', () => {
    expect(() => readConfig(kinds, { SERVICE_ACCOUNT_TOKENS: 'max-age=5m' })).toThrow(
      'SERVICE_ACCOUNT_TOKENS: max-age: expected at least 10m',
    )
  })

  it('count an empty variable as unset', () => {
    expect(readConfig(kinds, { PORT: '', DATABASE_URL: '' })).toEqual(readConfig(kinds, {}))
  })

  it('report all problems together', () => {
    const read = () =>
      readConfig(kinds, {
        PORT: '65536',
        LOG_LEVEL: 'loud',
        AUTH_DISABLED: 'yes',
        HYPERFLEET_NODEPOOL_ADAPTERS: '["a","a"]',
        CORS_ORIGINS: 'http://a/',
        ALLOWED_HOSTS: 'a.example:8000',
        PUBLIC_URL: 'https://a.example/console',
        DATABASE_URL: 'mysql://x',
        JWT_ISSUER: 'me',
      })
    expect(read).toThrow(ConfigError)
    for (const name of [
      'PORT',
      'LOG_LEVEL',
      'AUTH_DISABLED',
      'HYPERFLEET_NODEPOOL_ADAPTERS',
      'CORS_ORIGINS',
      'ALLOWED_HOSTS',
      'PUBLIC_URL',
      'DATABASE_URL',
      'JWT_ISSUER',
    ]) {
      expect(read).toThrow(name)
    }
  })

  it.each(['x:y#z@db/flotilla', 'db:99999/flotilla', 'one:5432,two:5432/flotilla'])(
    'reject the database URL postgresql://%s without repeating its password',
    (rest) => {
      const url = `postgresql://${rest}`
      for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URLS']) {
        const env = { DATABASE_URL: 'postgresql://db/flotilla', [name]: url }
        const attempt = () => readConfig(kinds, env)
        expect(attempt).toThrow(`${name}: expected postgresql://user:password@host:5432/name`)
        expect(attempt).not.toThrow('y#z')
      }
    },
  )

  it('accept database URLs of Unix sockets', () => {
    for (const url of [
      'postgresql:///flotilla?host=/run',
      'postgresql://ada@/flotilla?host=/run',
    ]) {
      expect(readConfig(kinds, { DATABASE_URL: url }).databaseUrl).toBe(url)
    }
  })

  it('reject times that a timer cannot measure', () => {
    const names = ['SLOW_QUERY_MS', 'STATEMENT_TIMEOUT_MS']
    for (const name of names) {
      expect(() => readConfig(kinds, { [name]: '2147483648' })).toThrow('to 86400000, found')
    }
    expect(() => readConfig(kinds, { OUTGOING_WEBHOOK_TIMEOUT: '30d' })).toThrow(
      "OUTGOING_WEBHOOK_TIMEOUT: expected a duration of at most 1h, found '30d'",
    )
  })

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])(
    'refuse %s without a key set, unless authentication is disabled',
    (host) => {
      expect(() => readConfig(kinds, { HOST: host })).toThrow('AUTH_DISABLED=true')
      expect(readConfig(kinds, { HOST: host, AUTH_DISABLED: 'true' }).host).toBe(host)
      const withKeys = { HOST: host, JWT_JWKS_URL: 'https://keys.example.org/jwks' }
      expect(readConfig(kinds, withKeys).host).toBe(host)
    },
  )

  it.each(['127.0.0.1', '127.9.9.9', '::1', 'localhost'])('accept %s without a key set', (host) => {
    expect(readConfig(kinds, { HOST: host }).host).toBe(host)
  })
})

describe('JWT_ISSUERS', () => {
  const issuer = {
    issuer_url: 'https://sso.example.com',
    jwk_cert_url: 'https://sso.example.com/k',
  }
  const read = (value: unknown, more: NodeJS.ProcessEnv = {}) =>
    readConfig(kinds, {
      JWT_ISSUERS: typeof value === 'string' ? value : JSON.stringify(value),
      ...more,
    })

  it('lists issuers and thereby allows public addresses', () => {
    const { jwtIssuers } = read([issuer], { HOST: '0.0.0.0' })
    expect(jwtIssuers).toEqual([
      {
        keysFrom: { type: 'url', address: issuer.jwk_cert_url, setting: 'JWT_ISSUERS[0]' },
        issuer: issuer.issuer_url,
        audience: null,
        identityClaim: null,
        identityPattern: null,
        usernamePrefix: 'https://sso.example.com#',
        groupsClaim: null,
        groupsPrefix: 'https://sso.example.com#',
        tenants: null,
      },
    ])
  })

  it('have prefixes, groups and tenants', () => {
    const own = {
      ...issuer,
      username_prefix: '',
      groups_claim: 'roles',
      groups_prefix: 'sso:',
      tenants: [{ org: 'acme' }],
    }
    const tenancy = { TENANT_HEADERS: 'org=X-Org,project=X-Project', TRUSTED_PROXIES: '10.0.0.1' }
    expect(read([own], tenancy).jwtIssuers).toMatchObject([
      {
        usernamePrefix: '',
        groupsClaim: 'roles',
        groupsPrefix: 'sso:',
        tenants: [{ org: 'acme' }],
      },
    ])
    expect(() => read([own])).toThrow('JWT_ISSUERS[0].tenants needs TENANT_HEADERS')
    expect(() => read([{ ...own, tenants: [{ region: 'eu' }] }], tenancy)).toThrow(
      "TENANT_HEADERS has no dimension 'region', only org, project",
    )
  })

  it('are rejected with equal prefixes, because their users would be the same', () => {
    const other = { ...issuer, issuer_url: 'https://b.example.com' }
    const equal = [
      { ...issuer, username_prefix: 'x:' },
      { ...other, username_prefix: 'x:' },
    ]
    expect(() => read(equal)).toThrow(
      "JWT_ISSUERS[1].username_prefix: 'x:' is also the prefix of JWT_ISSUERS[0]",
    )
    const grouped = { groups_claim: 'groups', groups_prefix: 'x:' }
    expect(() =>
      read([
        { ...issuer, ...grouped },
        { ...other, ...grouped },
      ]),
    ).toThrow("JWT_ISSUERS[1].groups_prefix: 'x:' is also the prefix of JWT_ISSUERS[0]")
    const single = { JWT_JWKS_URL: 'https://keys.example.org/jwks', JWT_ISSUER: 'https://a' }
    expect(() => read([{ ...issuer, username_prefix: '' }], single)).toThrow(
      "JWT_ISSUERS[0].username_prefix: '' is also the prefix of JWT_JWKS_URL",
    )
    expect(() => read([{ ...issuer, groups_claim: 'groups', groups_prefix: '' }], single)).toThrow(
      "JWT_ISSUERS[0].groups_prefix: '' is also the prefix of JWT_JWKS_URL",
    )
  })

  it.each([
    ['{}', 'expected a JSON array'],
    ['nonsense', 'expected a JSON array'],
    [[1], '[0] is not an object'],
    [[{ ...issuer, issuer_url: undefined }], '[0].issuer_url is required'],
    [[{ ...issuer, audience: 7 }], '[0].audience is not a non-empty string'],
    [[{ ...issuer, audiences: 'a' }], "[0] has the unknown field 'audiences'"],
    [[{ ...issuer, jwk_cert_file: 'keys.json' }], '[0] needs either jwk_cert_url or jwk_cert_file'],
    [[{ issuer_url: 'https://a.example.com' }], '[0] needs either jwk_cert_url or jwk_cert_file'],
    [[{ ...issuer, jwk_cert_url: 'ftp://a' }], 'JWT_ISSUERS[0]: expected an http or https URL'],
    [[{ ...issuer, identity_claim_pattern: '(' }], '[0].identity_claim_pattern'],
    [[{ ...issuer, username_prefix: 7 }], '[0].username_prefix is not a non-empty string'],
    [[{ ...issuer, username_prefix: 'system:' }], 'names that begin with system: are reserved'],
    [[{ ...issuer, username_prefix: 'a\u0000' }], '[0].username_prefix has control characters'],
    [[{ ...issuer, groups_prefix: 'a:' }], '[0].groups_prefix needs groups_claim'],
    [[{ ...issuer, tenants: [] }], '[0].tenants: expected a list of tenants'],
    [[{ ...issuer, tenants: 'acme' }], '[0].tenants: expected a list of tenants'],
    [[{ ...issuer, tenants: [{}] }], '[0].tenants: expected a list of tenants'],
    [[{ ...issuer, tenants: [{ org: '' }] }], '[0].tenants: expected a list of tenants'],
    [[issuer, issuer], "[1] has the issuer_url of [0]: 'https://sso.example.com'"],
  ])('refuses %j', (value, problem) => {
    expect(() => read(value)).toThrow(problem)
  })

  it('requires JWT_ISSUER with the key set of a single issuer', () => {
    const JWT_JWKS_URL = 'https://keys.example.org/jwks'
    expect(() => read([issuer], { JWT_JWKS_URL })).toThrow('JWT_ISSUER: required')
    expect(() => read([issuer], { JWT_JWKS_URL, JWT_ISSUER: issuer.issuer_url })).toThrow(
      'configure it once',
    )
    expect(read([issuer], { JWT_JWKS_URL, JWT_ISSUER: 'https://a.example.com' }).jwtIssuer).toBe(
      'https://a.example.com',
    )
  })
})
