import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readConfig } from '../../src/cmd/settings.ts'
import { CLAIMS, type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { createGateway } from '../../src/http/auth/gateway.ts'
import { trustedAddresses } from '../../src/access/trusted-addresses.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { newName } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const KEY = signingKey('RS256', 'current')
const HEADER = 'X-HyperFleet-Identity'
const ANONYMOUS = 'system@hyperfleet.local'

/** Creates a cluster with raw header lines. Returns the status with `created_by` or the error code. */
function createdBy({ origin }: TestServer, lines: readonly string[]): Promise<string> {
  const body = JSON.stringify({ kind: 'Cluster', name: newName(), spec: {} })
  const headers = ['Host', 'localhost', 'Content-Type', 'application/json', ...lines]
  return new Promise((resolve, reject) => {
    const url = `${origin}/api/hyperfleet/v1/clusters`
    const sent = httpRequest(url, { method: 'POST', headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => {
        const { created_by, code }: { created_by?: string; code?: string } = JSON.parse(text)
        resolve(`${response.statusCode} ${created_by ?? code}`)
      })
    })
    sent.on('error', reject).end(body)
  })
}

describe('the identity header of a gateway', () => {
  const servers: Record<string, TestServer> = {}
  let keys: KeyServer
  beforeAll(async () => {
    keys = await serveKeys(KEY)
    servers['trusting'] = await startTestServer({ env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
    servers['default'] = await startTestServer()
    servers['elsewhere'] = await startTestServer({ env: { TRUSTED_PROXIES: '10.0.0.0/8,::1' } })
    servers['renamed'] = await startTestServer({
      env: { TRUSTED_PROXIES: '127.0.0.1', GATEWAY_HEADERS: 'identity=X-Remote-User' },
    })
    servers['tokens'] = await startTestServer({
      env: { TRUSTED_PROXIES: '127.0.0.1', JWT_JWKS_URL: keys.url },
    })
  })
  afterAll(async () => {
    for (const server of Object.values(servers)) await server[Symbol.asyncDispose]()
    await keys[Symbol.asyncDispose]()
  })

  const bearer = () => {
    const exp = Math.floor(Date.now() / 1000) + 600
    return KEY.bearer({ email: CLAIMS.email, exp })
  }

  it.each([
    ['trusting', [HEADER, 'ada@example.com'], '201 ada@example.com'],
    ['trusting', [HEADER.toLowerCase(), ' ada@example.com '], '201 ada@example.com'],
    ['trusting', [HEADER, 'i'.repeat(256)], `201 ${'i'.repeat(256)}`],
    ['trusting', [], `201 ${ANONYMOUS}`],
    ['trusting', [HEADER, ''], '401 HYPERFLEET-AUT-001'],
    ['trusting', [HEADER, 'i'.repeat(257)], '401 HYPERFLEET-AUT-001'],
    ['trusting', [HEADER, 'a', HEADER, 'b'], '401 HYPERFLEET-AUT-001'],
    ['trusting', [HEADER, 'a\tb'], '401 HYPERFLEET-AUT-001'],
    ['trusting', [HEADER, 'adä'], '401 HYPERFLEET-AUT-001'],
    ['trusting', [HEADER, '<nil>'], '401 HYPERFLEET-AUT-001'],
    ['default', [HEADER, 'mallory'], `201 ${ANONYMOUS}`],
    ['default', [HEADER, 'a', HEADER, 'b'], `201 ${ANONYMOUS}`],
    ['elsewhere', [HEADER, 'mallory'], `201 ${ANONYMOUS}`],
    ['elsewhere', [HEADER, 'mallory', 'X-Forwarded-For', '10.0.0.1'], `201 ${ANONYMOUS}`],
    ['renamed', ['X-Remote-User', 'ada'], '201 ada'],
    ['renamed', [HEADER, 'mallory'], `201 ${ANONYMOUS}`],
    ['tokens', [HEADER, 'mallory'], '401 HYPERFLEET-AUT-001'],
  ])('on the server %j with %j returns %s', async (name, lines, expected) => {
    expect(await createdBy(servers[name] ?? expect.unreachable(), lines)).toBe(expected)
  })

  it('overrides the identity of the token, which is still required', async () => {
    const server = servers['tokens'] ?? expect.unreachable()
    const token = ['Authorization', bearer()]
    expect(await createdBy(server, token)).toBe('201 ada@example.com')
    expect(await createdBy(server, [...token, HEADER, 'grace'])).toBe('201 grace')
    expect(await createdBy(server, [...token, HEADER, ''])).toBe('401 HYPERFLEET-AUT-001')
  })
})

describe('TRUSTED_PROXIES', () => {
  it.each([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['192.0.2.7', '192.0.2.7', true],
    ['192.0.2.7', '192.0.2.8', false],
    ['fd00::/8', 'fd12::1', true],
    ['fe80::1', 'fe80::1%eth0', true],
    ['::1', '127.0.0.1', false],
    ['0.0.0.0/0', undefined, false],
  ])('of %s has %s: %s', (entry, address, expected) => {
    expect(trustedAddresses([entry]).has(address)).toBe(expected)
  })

  it.each(['example.com', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '*', 'fd00::/129'])(
    'rejects %s',
    (entry) => {
      expect(() => readConfig(kinds, { TRUSTED_PROXIES: entry })).toThrow('TRUSTED_PROXIES')
    },
  )
})

describe('the settings of a gateway', () => {
  const trusted = { TRUSTED_PROXIES: '127.0.0.1' }

  it.each([
    [{ TENANT_HEADERS: 'org=X-Org' }, 'TENANT_HEADERS needs TRUSTED_PROXIES'],
    [{ ...trusted, TENANT_HEADERS: 'org' }, 'expected dimension=header pairs'],
    [{ ...trusted, TENANT_HEADERS: 'Org=X-Org' }, 'expected dimension=header pairs'],
    [{ ...trusted, TENANT_HEADERS: 'org=X Org' }, "'X Org' is not a valid header name"],
    [{ ...trusted, TENANT_HEADERS: 'org=Cookie' }, "'Cookie' is reserved"],
    [{ ...trusted, TENANT_HEADERS: 'org=X-A,org=X-B' }, "'org' appears twice"],
    [{ ...trusted, TENANT_HEADERS: 'org=X-A,unit=x-a' }, "'x-a' appears twice"],
    [{ ...trusted, TENANT_HEADERS: 'a=A,b=B,c=C,d=D,e=E' }, 'more than 4 dimensions'],
    [{ ...trusted, TENANT_HEADERS: 'org=X-HyperFleet-Identity' }, 'each needs its own header'],
    [
      { GATEWAY_HEADERS: 'identity=Authorization' },
      "identity of GATEWAY_HEADERS: the header 'Authorization'",
    ],
    [{ GATEWAY_HEADERS: 'system=a b' }, 'system of GATEWAY_HEADERS'],
  ])('rejects %j', (env, problem) => {
    expect(() => readConfig(kinds, env)).toThrow(problem)
  })

  it('are valid with a header per dimension', () => {
    const config = readConfig(kinds, { ...trusted, TENANT_HEADERS: 'org=X-Org, unit=X-Unit' })
    expect(() => createGateway(config)).not.toThrow()
    expect(config.tenantHeaders).toEqual([
      { dimension: 'org', label: 'X-Org', header: 'x-org' },
      { dimension: 'unit', label: 'X-Unit', header: 'x-unit' },
    ])
  })
})
