import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus, type RawRequest } from '../raw-request.ts'
import { ACME, type IssuerServer, UMBRELLA } from './issuer-server.ts'
import { OTHER } from './issuers.ts'

type Headers = NonNullable<RawRequest['headers']>

/** Requests that only an administrator may send. */
function targets({ clusterId }: IssuerServer): readonly RawRequest[] {
  const plane = `/clusters/${clusterId}/control-plane`
  return [
    { target: `${BASE_PATH}/clusters` },
    { target: `${BASE_PATH}/clusters/${clusterId}` },
    { target: `${BASE_PATH}/audit` },
    { target: `${BASE_PATH}/webhooks` },
    {
      method: 'POST',
      target: `${BASE_PATH}/clusters`,
      body: { kind: 'Cluster', name: 'spoofed', spec: {} },
    },
    { target: '/api/v1/secrets' },
    { target: '/apis/rbac.authorization.k8s.io/v1/clusterroles' },
    { target: `${plane}/api/v1/secrets` },
    { target: `${plane}/api/v1/namespaces/default/configmaps/secret` },
  ]
}

/** The plane of another tenant does not exist. */
function ofPlane({ target }: RawRequest): boolean {
  return target.startsWith('/clusters/')
}

/** Claims that would make a user of the other issuer an administrator of the main one. */
const CLAIMS: readonly object[] = [
  { sub: 'admin@x' },
  { email: 'admin@x', sub: 'eve' },
  { preferred_username: 'admin@x', sub: 'eve' },
  { sub: 'eve', groups: ['admins'] },
  { sub: 'eve', groups: 'admins' },
  { sub: 'eve', groups: ['system:masters'] },
  { sub: 'system:serviceaccount:kube-system:admin', groups: ['system:masters'] },
  { sub: 'system:admin' },
  { sub: 'reader@x' },
]

/** Acts as users, groups and tenants of another issuer. */
export async function spoofIssuers(server: IssuerServer, { attack }: AttackLog): Promise<void> {
  const { issuers, caller } = server
  for (const request of targets(server)) {
    const described = `${request.method ?? 'GET'} ${request.target}`
    for (const claims of CLAIMS) {
      await attack(`${described} with ${JSON.stringify(claims)}`, async () => {
        const own = caller(issuers.other(claims), [UMBRELLA])
        assertStatus(await own.send(request), 401, 403, ...(ofPlane(request) ? [404] : []))
        const foreign = caller(issuers.other(claims), [ACME])
        assertStatus(await foreign.send(request), 401, 403)
      })
    }
    for (const [name, token] of issuers.forged({ sub: 'admin@x' })) {
      await attack(`${described} with ${name}`, async () =>
        assertStatus(await caller(token).send(request), 401),
      )
    }
    await attack(`${described} as a user of the other issuer`, async () => {
      const forged = caller(issuers.main({ sub: `${OTHER}#boss` }))
      assertStatus(await forged.send(request), 401)
    })
  }
  await leaveTenant(server, attack)
}

/** Leaves the tenants of the issuer. */
async function leaveTenant(server: IssuerServer, attack: AttackLog['attack']): Promise<void> {
  const { issuers, caller, clusterId } = server
  const boss = (headers: Headers) => caller(issuers.other({ sub: 'boss' }), headers)
  const others: readonly Headers[] = [
    [ACME],
    [ACME, UMBRELLA],
    [UMBRELLA, ACME],
    [['X-Tenant-Org', 'umbrella,acme']],
    [['X-Tenant-Org', 'acme']],
    [['X-Tenant-Org', 'Umbrella']],
    [['X-HyperFleet-System', 'true']],
    [UMBRELLA, ['X-HyperFleet-System', 'true']],
    [],
  ]
  for (const headers of others) {
    for (const request of targets(server)) {
      const described = headers.map(([name, value]) => `${name}: ${value}`).join(', ')
      await attack(`${request.target} of another tenant with ${described}`, async () =>
        assertStatus(await boss(headers).send(request), 401, 403),
      )
    }
  }
  for (const name of [clusterId, 'prod']) {
    for (const target of [
      `${BASE_PATH}/clusters/${name}`,
      `${BASE_PATH}/clusters/by-name/${name}`,
      `${BASE_PATH}/clusters/${name}/snapshot`,
      `${BASE_PATH}/clusters/${name}/history`,
      `/clusters/${name}/control-plane/api/v1/namespaces/default/configmaps/secret`,
      `/clusters/${name}/control-plane/version`,
    ]) {
      await attack(`${target} from another tenant`, async () =>
        assertStatus(await boss([UMBRELLA]).send({ target }), 404),
      )
      await attack(`${target} of an administrator in another tenant`, async () =>
        assertStatus(
          await caller(issuers.main({ sub: 'admin@x' }), [UMBRELLA]).send({ target }),
          404,
        ),
      )
    }
  }
  await attack('deny service to the tenant of the issuer', async () =>
    assertStatus(await boss([UMBRELLA]).send({ target: `${BASE_PATH}/clusters` }), 200),
  )
}
