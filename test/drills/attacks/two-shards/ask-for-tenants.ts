import assert from 'node:assert/strict'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { assertStatus, type RawResponse, sendRaw } from '../raw-request.ts'
import { type Headers, tenant, type TwoShards } from './two-shards.ts'

const ACME = '{"org":"acme"}'
const encoded = Buffer.from(ACME).toString('base64url')

/** Headers that servers send to each other, as a client that has no key would forge them. */
const FORGERIES: readonly Headers[] = [
  [],
  [['X-Flotilla-Shard-Key', 'guess']],
  [
    ['X-Flotilla-Shard-Key', ''],
    ['X-Flotilla-Shard-Tenant', encoded],
    ['X-Flotilla-Shard-Client', '127.0.0.1'],
  ],
  [['X-Flotilla-Shard-Tenant', encoded]],
  [['X-Flotilla-Shard-Question', 'guess']],
  [['X-Flotilla-Misdirected', 'true']],
  // A server that removed the named header from the forwarded request would send it without a key.
  [['Connection', 'X-Flotilla-Shard-Key']],
  [['Connection', 'close, X-Flotilla-Shard-Question']],
]

/** Spellings of an internal path. Some servers decode, merge or resolve parts of a path. */
function internalTargets(id: string, origin: string): readonly string[] {
  const question = `tenant-of?id=${id}`
  return [
    `/.flotilla/${question}`,
    `//.flotilla/${question}`,
    `/.flotilla//${question}`,
    `/%2eflotilla/${question}`,
    `/.flotilla%2f${question}`,
    `/.FLOTILLA/${question}`,
    `/.flotilla/tenant-of/?id=${id}`,
    `/.flotilla/./${question}`,
    `/./.flotilla/${question}`,
    `/x/../.flotilla/${question}`,
    `${BASE_PATH}/../../../.flotilla/${question}`,
    `/clusters/${id}/control-plane/../../../.flotilla/${question}`,
    `\\.flotilla\\${question}`,
    `/.flotilla/tenant-of?shard=b&id=${id}`,
    `/.flotilla/tenant-of?id=${id}&shard=b`,
    `${origin}/.flotilla/${question}`,
    `http://evil.example/.flotilla/${question}`,
  ]
}

/** Asks for the tenant of a resource, and acts as another tenant or as another server. */
export async function askForTenants(
  rig: TwoShards,
  { attack }: AttackLog,
  { isLong }: { readonly isLong: boolean },
): Promise<void> {
  const { origins, token, clusterId } = rig
  const callers: readonly (readonly [string, Headers])[] = [
    ['a stranger', []],
    ['a stranger in acme', [tenant('acme')]],
    ['a stranger in evil', [tenant('evil')]],
    ['a stranger who claims to be a system', [['X-HyperFleet-System', 'true']]],
    ['a user in evil', [token, tenant('evil')]],
    ['a user in acme', [token, tenant('acme')]],
    ['a system', [token, ['X-HyperFleet-System', 'true']]],
  ]
  for (const [index, origin] of origins.entries()) {
    for (const target of internalTargets(clusterId, origin)) {
      for (const [who, headers] of callers) {
        for (const forged of isLong ? FORGERIES : FORGERIES.slice(0, 2)) {
          const names = forged.map(([name]) => name).join(', ')
          await attack(`${target} at shard ${index} of ${who} with ${names}`, async () => {
            const response = await sendRaw(origin, { target, headers: [...headers, ...forged] })
            assert.ok(response.status >= 400, `${response.status}: ${response.text}`)
            assert.ok(response.status < 500, `${response.status}: ${response.text}`)
            assertNoTenant(response)
          })
        }
      }
    }
    await crossTenants(rig, origin, attack)
  }
}

/** Uses the resources of `acme` as another tenant, with the headers of servers. */
async function crossTenants(
  { token, clusterId }: TwoShards,
  origin: string,
  attack: AttackLog['attack'],
): Promise<void> {
  const resources = [
    `${BASE_PATH}/clusters/${clusterId}`,
    `${BASE_PATH}/clusters/by-name/prod`,
    `${BASE_PATH}/clusters/${clusterId}/snapshot`,
    `/clusters/${clusterId}/control-plane/api/v1/namespaces`,
    '/clusters/prod/control-plane/api/v1/namespaces',
  ]
  for (const forged of FORGERIES) {
    const names = forged.map(([name]) => name).join(', ')
    for (const target of resources) {
      await attack(`${target} of acme at ${origin} as evil with ${names}`, async () => {
        const response = await sendRaw(origin, {
          target,
          headers: [token, tenant('evil'), ...forged],
        })
        assertStatus(response, 400, 404)
        assertNoTenant(response)
      })
    }
    for (const target of [`${BASE_PATH}/clusters`, `${BASE_PATH}/clusters?shard=b`]) {
      await attack(`${target} at ${origin} as evil with ${names}`, async () => {
        const response = await sendRaw(origin, {
          target,
          headers: [token, tenant('evil'), ...forged],
        })
        assertStatus(response, 200, 400)
        assertNoTenant(response)
        assert.ok(!response.text.includes(clusterId), 'the list contains the cluster')
      })
    }
  }
  await attack(`deny service to acme at ${origin}`, async () => {
    const target = `${BASE_PATH}/clusters/${clusterId}`
    assertStatus(await sendRaw(origin, { target, headers: [token, tenant('acme')] }), 200)
    const system: Headers = [token, ['X-HyperFleet-System', 'true']]
    assertStatus(await sendRaw(origin, { target, headers: system }), 200)
  })
}

function assertNoTenant({ text }: RawResponse): void {
  assert.ok(!text.includes('"acme"') && !text.includes('\\"acme\\"'), `it has the tenant: ${text}`)
}
