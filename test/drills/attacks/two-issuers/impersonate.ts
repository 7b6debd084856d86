import assert from 'node:assert/strict'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus, type RawRequest } from '../raw-request.ts'
import type { IssuerServer } from './issuer-server.ts'

type Headers = NonNullable<RawRequest['headers']>

const CLUSTER = { kind: 'Cluster', name: 'impersonated', spec: {} }

/** Reads that every reader may send, and a write that a reader may not. */
function requests({ clusterId }: IssuerServer): readonly RawRequest[] {
  return [
    { target: `${BASE_PATH}/clusters` },
    { target: `${BASE_PATH}/clusters/${clusterId}` },
    { target: `${BASE_PATH}/clusters/${clusterId}/statuses` },
    { target: `${BASE_PATH}/clusters/${clusterId}/snapshot` },
    { target: `${BASE_PATH}/whoami` },
    { target: `${BASE_PATH}/kinds` },
    { target: `${BASE_PATH}/overview` },
    { method: 'POST', target: `${BASE_PATH}/clusters`, body: CLUSTER },
    { method: 'PUT', target: `${BASE_PATH}/clusters/by-name/impersonated`, body: CLUSTER },
    { method: 'DELETE', target: `${BASE_PATH}/clusters/${clusterId}` },
    { target: '/api/v1/namespaces' },
  ]
}

/** Headers that make a caller another user. */
const IMPERSONATIONS: readonly Headers[] = [
  [['Impersonate-User', 'admin@x']],
  [['impersonate-user', 'admin@x']],
  [
    ['Impersonate-User', 'reader@x'],
    ['Impersonate-Group', 'admins'],
  ],
  [
    ['Impersonate-User', 'reader@x'],
    ['Impersonate-Group', 'system:masters'],
  ],
  [
    ['Impersonate-User', 'reader@x'],
    ['Impersonate-User', 'admin@x'],
  ],
  [['Impersonate-User', '']],
  [['Impersonate-Group', 'admins']],
  [['Impersonate-Uid', 'x']],
  [['Impersonate-Extra-scopes', 'x']],
  [['Impersonate-Unknown', 'x']],
]

/** Requests without the permission to impersonate, and those whose headers must not be ignored. */
export async function impersonate(server: IssuerServer, { attack }: AttackLog): Promise<void> {
  const { admin, user } = server
  for (const request of requests(server)) {
    const method = request.method ?? 'GET'
    for (const headers of IMPERSONATIONS) {
      const described = headers.map(([name, value]) => `${name}: ${value}`).join(', ')
      for (const name of ['reader@x', 'adapter@x', 'scoped@x']) {
        await attack(`${method} ${request.target} of ${name} with ${described}`, async () =>
          assertStatus(await user(name).send({ ...request, headers }), 400, 403),
        )
      }
    }
  }
  const asReader: Headers = [['Impersonate-User', 'reader@x']]
  await attack('write with the rights of the administrator as a reader', async () => {
    const write = { method: 'POST', target: `${BASE_PATH}/clusters`, body: CLUSTER }
    assertStatus(await admin.send({ ...write, headers: asReader }), 400, 403)
  })
  await attack('read the audit log of the administrator as a reader', async () =>
    assertStatus(await admin.send({ target: `${BASE_PATH}/audit`, headers: asReader }), 400, 403),
  )
  await attack('leave a trace', async () => {
    const { text } = await admin.send({ target: `${BASE_PATH}/clusters?pageSize=100` })
    assert.ok(!text.includes(CLUSTER.name), 'the cluster exists')
    assert.ok(text.includes('"prod"'), 'the cluster is gone')
  })
}
