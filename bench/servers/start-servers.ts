import { isDeepStrictEqual } from 'node:util'
import { clusterOf } from '../data/cluster.ts'
import { connectClient } from './http-client.ts'
import { mixedSource } from '../generator/mixed-source.ts'
import type { ServerSetup, ServerUnderTest, ServerSource } from './server-under-test.ts'

const SAMPLES = 3

/** Servers that start and stop together. */
export interface RunningServers extends AsyncDisposable {
  readonly list: readonly ServerUnderTest[]
}

/** Starts a server of every source and checks its dataset. */
export async function startServers(
  sources: readonly ServerSource[],
  setup: ServerSetup,
): Promise<RunningServers> {
  const list: ServerUnderTest[] = []
  const dispose = async (): Promise<void> => {
    for (const server of list) await server[Symbol.asyncDispose]()
  }
  try {
    for (const source of sources) {
      const server = await source.start(setup)
      list.push(server)
      await checkDataset(server)
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { list, [Symbol.asyncDispose]: dispose }
}

/** Reads a few clusters. After a change of the tables, directly inserted rows may be invalid. */
async function checkDataset({ name, target }: ServerUnderTest): Promise<void> {
  await using client = connectClient(target.origin, 1)
  const { dataset } = target
  const source = mixedSource(target, [[1, { op: 'get' }]])()
  for (let count = 0; count < SAMPLES; count += 1) {
    const { path } = source.next()
    const { status, text } = await client.request('GET', path)
    const found = status === 200 ? JSON.parse(text) : null
    const number = Number(/^cluster-(\d+)$/.exec(found?.name)?.[1])
    const { labels, spec, state } = clusterOf(dataset, Number.isNaN(number) ? 1 : number)
    const isWhole = isDeepStrictEqual([found?.labels, found?.spec], [labels, spec])
    const ready = found?.status?.conditions?.find((one: { type: string }) => one.type === 'Ready')
    const expected = dataset.reports && state === 'healthy' ? 'True' : 'False'
    if (isWhole && ready?.status === expected) continue
    throw new Error(
      `${name} does not hold the seeded clusters: GET ${path} returned ${status} ${text.slice(0, 500)}`,
    )
  }
}
