import assert from 'node:assert/strict'
import { BASE_PATH } from '../../../../src/hyperfleet/paths/base-path.ts'
import type { AttackLog } from '../attack-log.ts'
import { sendRaw } from '../raw-request.ts'
import { type Headers, tenant, type TwoShards } from './two-shards.ts'

const TENANTS = 30

const REQUESTS = [
  { target: `${BASE_PATH}/clusters` },
  {
    method: 'POST',
    target: `${BASE_PATH}/clusters`,
    body: { kind: 'Cluster', name: 'x', spec: {} },
  },
  { target: '/api/v1/namespaces' },
  { target: '/clusters/root/control-plane/version' },
  { target: '/unknown' },
]

/** Credentials that no request may place a tenant with. */
const CREDENTIALS: readonly Headers[] = [
  [],
  [['Authorization', 'Bearer wrong']],
  [['Authorization', 'Basic YWRhOmFkYQ==']],
  [['X-HyperFleet-Identity', 'ada']],
]

/** Fills the shards with tenants that no user has. */
export async function placeTenants(
  { origins, token, command }: TwoShards,
  { attack }: AttackLog,
): Promise<void> {
  const before = await command('list')
  await attack(`place ${TENANTS} tenants without a token`, async () => {
    for (let index = 0; index < TENANTS; index += 1) {
      for (const origin of origins) {
        const credentials = CREDENTIALS[index % CREDENTIALS.length] ?? []
        for (const request of REQUESTS) {
          const headers = [tenant(`stranger-${index}`), ...credentials]
          const { status, text } = await sendRaw(origin, { ...request, headers })
          assert.equal(status, 401, `${request.target}: ${text}`)
        }
      }
    }
    assert.doesNotMatch(await command('list', '--empty'), /stranger/)
    assert.equal(await command('list'), before)
  })
  await attack('keep a tenant without resources', async () => {
    const [origin = ''] = origins
    const headers = [token, tenant('curious')]
    assert.equal((await sendRaw(origin, { target: `${BASE_PATH}/clusters`, headers })).status, 200)
    assert.match(await command('list', '--empty'), /org=curious/)
    await command('forget', 'org=curious')
    assert.doesNotMatch(await command('list', '--empty'), /org=curious/)
    assert.equal(await command('list'), before)
  })
  await attack('forget a tenant with resources', async () => {
    await assert.rejects(command('forget', 'org=acme'))
    assert.doesNotMatch(await command('list', '--empty'), /org=acme/)
  })
}
