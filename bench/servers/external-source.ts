import { seedOverHttp } from '../data/seed-over-http.ts'
import type { ExternalServer } from '../command/options.ts'
import type { ServerName, ServerSource } from './server-under-test.ts'

/** An external server already holds another dataset. */
export class DatasetMismatch extends Error {
  override readonly name = 'OtherDataset'

  constructor(origin: string) {
    super(`${origin} holds another dataset: run this scenario alone on an empty server`)
  }
}

/** A server that the benchmark did not start. It is seeded over HTTP and never cleaned up. */
export function externalSource(
  name: ServerName,
  { origin, pid, postgresPid }: ExternalServer,
  headers: Readonly<Record<string, string>>,
): ServerSource {
  let seededWith: string | null = null
  return {
    name,
    isManaged: false,
    start: async ({ dataset }) => {
      const key = JSON.stringify(dataset)
      seededWith ??= key
      if (seededWith !== key) throw new DatasetMismatch(origin)
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
