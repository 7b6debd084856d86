import { getResource } from '../src/core/storage/get-resource.ts'
import { insertResource } from '../src/core/storage/insert-resource.ts'
import { type ListedResource, listResources } from '../src/core/storage/list-resources.ts'
import type { Database } from '../src/core/storage/database.ts'
import { readForReport } from '../src/core/storage/read-for-report.ts'
import { scope } from '../src/core/storage/scope.ts'
import { storeReport } from '../src/core/storage/store-report.ts'
import { touchReport } from '../src/core/storage/touch-report.ts'

/** A list without a search, newest first: as much of it as Prisma can say. */
export interface PlainList {
  readonly kind: string
  readonly ownerId: string | null
  readonly limit: number
  readonly offset: number
}

/** The statements of the hot paths, which can be written in more than one way. */
export interface HotStatements {
  readonly insertResource: typeof insertResource
  readonly getResource: typeof getResource
  readonly listResources: (
    database: Database,
    list: PlainList,
  ) => Promise<{ total: number; items: readonly ListedResource[] }>
  readonly readForReport: typeof readForReport
  readonly storeReport: typeof storeReport
  readonly touchReport: typeof touchReport
}

/** As the server has them: SQL through pg. */
export const pgStatements: HotStatements = {
  insertResource,
  getResource,
  listResources: (database, { kind, ownerId, limit, offset }) =>
    listResources(database, {
      where: scope(kind, ownerId),
      orderBy: [
        { column: 'created_time', direction: 'desc' },
        { column: 'id', direction: 'desc' },
      ],
      limit,
      offset,
    }),
  readForReport,
  storeReport,
  touchReport,
}
