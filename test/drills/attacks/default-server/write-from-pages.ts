import assert from 'node:assert/strict'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus, type RawRequest, sendRaw } from '../raw-request.ts'
import type { DefaultServer } from './default-server.ts'
import { SANDBOX } from './sandbox.ts'

type Headers = NonNullable<RawRequest['headers']>

const JSON_TYPE = ['Content-Type', 'application/json'] as const
const SANDBOXES = '/apis/agents.x-k8s.io/v1beta1/namespaces/default/sandboxes'
const UPGRADE: Headers = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
]
const CLUSTER = { kind: 'Cluster', name: 'from-a-page', spec: {} }

/** Requests that change something, have a body, run a program, or leave HTTP. */
const REQUESTS: readonly RawRequest[] = [
  { method: 'POST', target: `${BASE_PATH}/clusters`, headers: [JSON_TYPE], body: CLUSTER },
  { method: 'POST', target: `${BASE_PATH}/clusters`, body: CLUSTER },
  { method: 'POST', target: `${BASE_PATH}/clusters`, headers: [JSON_TYPE], body: '{' },
  { method: 'POST', target: `${BASE_PATH}/clusters/bulk`, headers: [JSON_TYPE], body: [CLUSTER] },
  {
    method: 'PUT',
    target: `${BASE_PATH}/clusters/by-name/from-a-page`,
    headers: [JSON_TYPE],
    body: CLUSTER,
  },
  { method: 'PATCH', target: `${BASE_PATH}/clusters/x`, headers: [JSON_TYPE], body: {} },
  { method: 'DELETE', target: `${BASE_PATH}/clusters/x` },
  { method: 'POST', target: `${BASE_PATH}/clusters/x/force-delete` },
  { method: 'POST', target: `${BASE_PATH}/snapshots`, headers: [JSON_TYPE], body: {} },
  { method: 'POST', target: `${BASE_PATH}/webhooks`, headers: [JSON_TYPE], body: {} },
  { method: 'GET', target: `${BASE_PATH}/clusters`, headers: [JSON_TYPE], body: {} },
  { method: 'GET', target: `${BASE_PATH}/clusters?watch=true`, headers: UPGRADE },
  { method: 'POST', target: '/api/v1/namespaces', body: { metadata: { name: 'from-a-page' } } },
  { method: 'POST', target: SANDBOXES, headers: [JSON_TYPE], body: SANDBOX },
  { method: 'POST', target: SANDBOXES, body: SANDBOX },
  { method: 'DELETE', target: '/api/v1/namespaces/default/configmaps' },
  { method: 'POST', target: `${SANDBOXES}/x/exec`, body: { command: ['/bin/true'] } },
  { method: 'GET', target: `${SANDBOXES}/x/exec?command=true`, headers: UPGRADE },
  { method: 'GET', target: '/api/v1/namespaces?watch=true', headers: UPGRADE },
  {
    method: 'POST',
    target: '/clusters/x/control-plane/api/v1/namespaces',
    body: { metadata: { name: 'from-a-page' } },
  },
]

/** The headers that a browser adds to the request of a page of another origin. */
function foreignPages(host: string): readonly Headers[] {
  const [name = '', port = ''] = host.split(':')
  const origins = [
    'http://evil.example',
    `http://evil.example:${port}`,
    'null',
    `http://localhost:${port}`,
    `http://${name}`,
    `http://${name}:${Number(port) - 1}`,
    `http://${host}0`,
    `http://${host}.evil.example`,
    `http://${name}.evil.example:${port}`,
    `http://${host}@evil.example`,
    `http://evil.example#${host}`,
    `http://evil.example/http://${host}`,
    `ftp://${host}`,
    `chrome-extension://${host}`,
    '',
  ]
  return [
    ...origins.map((origin): Headers => [['Origin', origin]]),
    // Origin decides, whatever a client claims beside it.
    [
      ['Origin', 'http://evil.example'],
      ['Sec-Fetch-Site', 'same-origin'],
    ],
    [
      ['Origin', 'http://evil.example'],
      ['X-Forwarded-Host', 'evil.example'],
    ],
    [['Sec-Fetch-Site', 'cross-site']],
    [['Sec-Fetch-Site', 'same-site']],
  ]
}

/** Sends what pages of other origins can make a browser send. */
export async function writeFromPages(
  { origin }: DefaultServer,
  { attack }: AttackLog,
): Promise<void> {
  const { host } = new URL(origin)
  for (const page of foreignPages(host)) {
    for (const request of REQUESTS) {
      const from = page.map(([name, value]) => `${name}: ${value}`).join(', ')
      await attack(`${request.method} ${request.target} with ${from}`, async () => {
        const headers = [...(request.headers ?? []), ...page]
        const response = await sendRaw(origin, { ...request, headers })
        assertStatus(response, 403)
        const body = JSON.parse(response.text)
        if (request.target.startsWith(BASE_PATH)) assert.equal(body.code, 'HYPERFLEET-AUZ-001')
        else assert.equal(body.kind, 'Status')
      })
    }
  }
  await attack('leave a trace', () => assertNoTraces(origin))
  await sendUntypedBodies(origin, attack)
}

/** Bodies without a type are JSON for programs only: a page can send them without a preflight. */
async function sendUntypedBodies(origin: string, attack: AttackLog['attack']): Promise<void> {
  const typeless: readonly Headers[] = [
    [['Origin', origin]],
    [['Sec-Fetch-Site', 'same-origin']],
    [['Sec-Fetch-Site', 'none']],
    [['Sec-Fetch-Mode', 'no-cors']],
    [['Sec-Fetch-Dest', 'empty']],
    [['Content-Type', 'text/plain']],
    [['Content-Type', 'text/plain; charset=application/json']],
    [['Content-Type', 'application/x-www-form-urlencoded']],
    [['Content-Type', 'multipart/form-data; boundary=x']],
  ]
  for (const headers of typeless) {
    for (const request of [
      { target: `${BASE_PATH}/clusters`, body: CLUSTER },
      { target: '/api/v1/namespaces', body: { metadata: { name: 'from-a-page' } } },
    ]) {
      const described = headers.map(([name, value]) => `${name}: ${value}`).join(', ')
      await attack(`POST ${request.target} without a JSON type, ${described}`, async () => {
        assertStatus(await sendRaw(origin, { method: 'POST', ...request, headers }), 415)
      })
    }
  }
  await attack('leave a trace of an untyped body', () => assertNoTraces(origin))
  await attack('deny service to programs and to pages of the server', async () => {
    const send = async (name: string, headers: Headers): Promise<number> => {
      const body = { kind: 'Cluster', name, spec: {} }
      const target = `${BASE_PATH}/clusters`
      return (await sendRaw(origin, { method: 'POST', target, body, headers })).status
    }
    const statuses = [
      await send('from-curl', []),
      await send('from-an-sdk', [JSON_TYPE]),
      await send('from-the-console', [JSON_TYPE, ['Origin', origin]]),
      await send('from-a-proxy', [JSON_TYPE, ['Origin', origin.replace('http:', 'https:')]]),
      await send('from-a-link', [JSON_TYPE, ['Sec-Fetch-Site', 'none']]),
    ]
    assert.deepEqual(statuses, [201, 201, 201, 201, 201])
  })
}

/** Nothing with a name of an attack exists. */
async function assertNoTraces(origin: string): Promise<void> {
  const lists = [`${BASE_PATH}/clusters?pageSize=100`, '/api/v1/namespaces', SANDBOXES]
  for (const target of lists) {
    const { status, text } = await sendRaw(origin, { target })
    assert.equal(status, 200)
    assert.ok(!text.includes('from-a-page'), `${target} has an object of a page`)
  }
}
