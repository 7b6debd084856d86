import { seedOverHttp } from '../data/seed-over-http.ts'
import type { GivenServer } from '../command/options.ts'
import type { ContenderName, ContenderSource } from './contender.ts'

/** A server that cannot be emptied was filled with other clusters than are wanted. */
export class OtherDataset extends Error {
  override readonly name = 'OtherDataset'

  constructor(origin: string) {
    super(`${origin} is filled with other clusters: name this scenario alone, on an empty server`)
  }
}

/** A server that somebody else started: it is filled over HTTP, and what is written to it stays. */
export function givenSource(
  name: ContenderName,
  { origin, pid, postgresPid }: GivenServer,
  headers: Readonly<Record<string, string>>,
): ContenderSource {
  let filledWith: string | null = null
  return {
    name,
    isOurs: false,
    start: async ({ dataset }) => {
      const key = JSON.stringify(dataset)
      filledWith ??= key
      if (filledWith !== key) throw new OtherDataset(origin)
      const ids = await seedOverHttp({ origin, headers }, dataset)
      return {
        name,
        databaseUrl: null,
        target: { origin, headers, pid, postgresPid, dataset, ids },
        [Symbol.asyncDispose]: () => Promise.resolve(),
      }
    },
  }
}
