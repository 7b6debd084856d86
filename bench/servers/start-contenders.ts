import { isDeepStrictEqual } from 'node:util'
import { clusterOf } from '../data/cluster.ts'
import { connectClient } from '../load/client.ts'
import { mixedSource } from '../generator/mixed-source.ts'
import type { Arrangement, Contender, ContenderSource } from './contender.ts'

/** Servers that were started together and end together. */
export interface Contenders extends AsyncDisposable {
  readonly list: readonly Contender[]
}

/** Starts a server of every source and checks that it holds what it was given. */
export async function startContenders(
  sources: readonly ContenderSource[],
  arrangement: Arrangement,
): Promise<Contenders> {
  const list: Contender[] = []
  const dispose = async (): Promise<void> => {
    for (const contender of list) await contender[Symbol.asyncDispose]()
  }
  try {
    for (const source of sources) {
      const contender = await source.start(arrangement)
      list.push(contender)
      await checkDataset(contender)
    }
  } catch (error) {
    await dispose()
    throw error
  }
  return { list, [Symbol.asyncDispose]: dispose }
}

/** Where the tables have changed, the rows that were put into them may no longer be resources. */
async function checkDataset({ name, target }: Contender): Promise<void> {
  await using client = connectClient(target.origin, 1, target.headers)
  const { dataset } = target
  const source = mixedSource(target, [[1, { op: 'get' }]])()
  for (let turn = 0; turn < 3; turn += 1) {
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
      `${name} does not hold the clusters that were seeded: GET ${path} answers ${status} ` +
        `${text.slice(0, 500)}; a server that was filled with other clusters cannot be measured`,
    )
  }
}
