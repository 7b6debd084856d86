import assert from 'node:assert/strict'
import { startNode } from '../../process/program.ts'
import { buildReleasedVersion } from '../servers/released-version.ts'

const API = '/api/hyperfleet/v1'
const CONFIG_MAPS = 'control-plane/api/v1/namespaces/default/configmaps'

interface Written {
  readonly id: string
  readonly generation: number
}

/** Starts a newer version with a data directory, and stops it after `use`. */
type Start = (dataDir: string, use: (origin: string) => Promise<void>) => Promise<void>

/**
 * Writes data with the last released version, starts a newer one with the same data directory, and
 * compares the responses of both.
 */
export async function upgradeData(dataDir: string, start: Start): Promise<void> {
  const before = await writeData(dataDir)
  await start(dataDir, async (origin) => {
    for (const [address, body] of before) {
      assert.deepEqual(await get(origin, address), body, address)
    }
    const created = await send(origin, `${API}/clusters`, {
      kind: 'Cluster',
      name: 'after',
      spec: {},
    })
    assert.equal(created.generation, 1)
  })
}

async function writeData(dataDir: string): Promise<ReadonlyMap<string, unknown>> {
  await using released = await buildReleasedVersion()
  const { args, cwd } = released.version
  await using server = startNode(args, { DATA_DIR: dataDir }, cwd)
  const origin = `http://127.0.0.1:${(await server.ready()).port}`
  const { id } = await send(origin, `${API}/clusters`, {
    kind: 'Cluster',
    name: 'paris',
    spec: { region: 'europe-west9', size: 3 },
    labels: { team: 'blue' },
  })
  const at = `${API}/clusters/${id}`
  const pool = { kind: 'NodePool', name: 'workers', spec: { replicas: 3 } }
  await send(origin, `${at}/nodepools`, pool)
  await send(origin, `${at}/statuses`, {
    adapter: 'dns',
    observed_generation: 1,
    observed_time: '2026-01-01T00:00:00Z',
    conditions: [{ type: 'Available', status: 'False', reason: 'NoZone', message: 'no zone' }],
    data: { zone: 'a.example' },
  })
  const plane = `/clusters/${id}/${CONFIG_MAPS}`
  await send(origin, plane, { metadata: { name: 'kept' }, data: { key: 'value' } })
  const addresses = [
    at,
    `${API}/clusters?search=${encodeURIComponent("labels.team='blue'")}`,
    `${at}/nodepools`,
    `${at}/statuses`,
    `${plane}/kept`,
  ]
  const bodies = new Map<string, unknown>()
  for (const address of addresses) bodies.set(address, await get(origin, address))
  return bodies
}

/** Without `next`, which lists of some versions lack. */
async function get(origin: string, address: string): Promise<object> {
  const { next: _, ...body } = { next: '', ...(await read(await fetch(origin + address))) }
  return body
}

async function send(origin: string, address: string, body: object): Promise<Written> {
  const headers = { 'Content-Type': 'application/json' }
  return read(
    await fetch(origin + address, { method: 'POST', headers, body: JSON.stringify(body) }),
  )
}

/** Times of the version that writes the data have three digits of seconds, and later ones six. */
async function read(response: Response): Promise<Written> {
  const text = (await response.text()).replaceAll(/(\.\d{3})000Z/g, '$1Z')
  assert.ok(response.ok, `${response.url} is ${response.status}: ${text}`)
  return JSON.parse(text)
}
