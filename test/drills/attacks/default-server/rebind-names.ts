import assert from 'node:assert/strict'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus, type RawRequest, type RawResponse, sendRaw } from '../raw-request.ts'
import type { DefaultServer } from './default-server.ts'

/** A page at one of these names would share the origin of the server after DNS rebinding. */
const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:80',
  'EVIL.example',
  'evil.example.',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127-0-0-1.evil.example',
  'evil-localhost',
  'mylocalhost',
  'localhost@evil.example',
  '127.0.0.1@evil.example',
  'evil.example#localhost',
  'evil.example/localhost',
  '[::1].evil.example',
  '_',
]

/** Rebinding needs a name, so literals are harmless. */
const HARMLESS_HOSTS = ['127.0.0.1', '127.0.0.1:9', '[::1]', '[::1]:9', '192.0.2.1', 'localhost']
const LOOPBACK_NAMES = ['LOCALHOST', 'localhost:9']

/** Headers that a page may set for its own origin, which it shares with the server. */
const CLAIMS: readonly (readonly [string, string])[][] = [
  [],
  [['X-Forwarded-Host', 'localhost']],
  [['Forwarded', 'host=localhost']],
]

const CREATION = { kind: 'Cluster', name: 'rebound', spec: {} }
const JSON_TYPE = ['Content-Type', 'application/json'] as const

/** Reads and writes as a page whose name has been bound to the address of the server. */
export async function rebindNames(
  { origin, healthOrigin, metricsOrigin }: DefaultServer,
  { attack }: AttackLog,
): Promise<void> {
  const requests: readonly (RawRequest & { readonly at?: string })[] = [
    { target: `${BASE_PATH}/clusters` },
    { target: `${BASE_PATH}/openapi` },
    { target: `${BASE_PATH}/unknown` },
    { target: '/api/v1/namespaces' },
    { target: '/apis/agents.x-k8s.io/v1beta1/sandboxes' },
    { target: '/clusters/root/control-plane/api/v1/secrets' },
    { target: '/' },
    { target: `${BASE_PATH}/clusters`, method: 'POST', headers: [JSON_TYPE], body: CREATION },
    { target: '/metrics', at: metricsOrigin },
  ]
  for (const { at = origin, ...request } of requests) {
    for (const host of FOREIGN_HOSTS) {
      for (const claims of CLAIMS) {
        const headers = [['Host', host] as const, ...(request.headers ?? []), ...claims]
        const claimed = claims.map(([name]) => ` with ${name}`).join('')
        await attack(
          `${request.method ?? 'GET'} ${request.target} as ${host}${claimed}`,
          async () => assertMisdirected(await sendRaw(at, { ...request, headers }), request.target),
        )
      }
    }
  }
  for (const host of [...HARMLESS_HOSTS, ...LOOPBACK_NAMES]) {
    await attack(`deny service to ${host}`, async () => {
      const headers = [['Host', host] as const]
      const list = await sendRaw(origin, { target: `${BASE_PATH}/clusters`, headers })
      const metrics = await sendRaw(metricsOrigin, { target: '/metrics', headers })
      assert.deepEqual([list.status, metrics.status], [200, 200])
    })
  }
  for (const target of ['/healthz', '/readyz', '/livez']) {
    await attack(`deny ${target} to a probe with a name`, async () => {
      const headers = [['Host', 'flotilla.default.svc'] as const]
      assertStatus(await sendRaw(healthOrigin, { target, headers }), 200)
    })
  }
}

/** Node itself refuses a host that no client may send. */
function assertMisdirected(response: RawResponse, target: string): void {
  const { status, text, headers } = response
  if (status === 400) return
  assertStatus(response, 421)
  assert.ok(text.includes('ALLOWED_HOSTS'), `the response lacks the remedy: ${text}`)
  if (target.startsWith(BASE_PATH)) {
    assert.equal(JSON.parse(text).code, 'HYPERFLEET-AUZ-001')
    assert.ok(headers['content-type']?.startsWith('application/problem+json'))
  }
  if (/^\/(api\/v1|apis)\//.test(target)) assert.equal(JSON.parse(text).kind, 'Status')
}
