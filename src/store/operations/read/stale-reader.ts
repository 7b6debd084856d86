import type { Database, PreparedStatement } from '../../database/database.ts'
import type { Requirement } from '../../replicas/replica.ts'
import type { Replicas } from '../../replicas/replicas.ts'
import type { ResourceReader } from './resource-reader.ts'

interface Options {
  readonly primary: ResourceReader
  readonly database: Database
  readonly replicas: Replicas
  /** The state that every replica must have at least. */
  readonly required: () => Requirement
}

/**
 * Reads single resources from replicas, which may lack the last writes. The primary reads resources
 * that a replica does not have, because they may be new.
 */
export function createStaleReader(options: Options): ResourceReader {
  const { primary, database, replicas, required } = options
  const replica = primary.on({
    ...database,
    async execute<Row extends object>(statement: PreparedStatement, values: readonly unknown[]) {
      const found = await replicas.read(required(), (snapshot) =>
        snapshot.execute<Row>(statement, values),
      )
      return found === null ? database.execute<Row>(statement, values) : found.value
    },
  })
  return {
    ...primary,
    one: async (id, representation) =>
      (await replica.one(id, representation)) ?? primary.one(id, representation),
  }
}
