import { insertResource } from '../../src/store/resources/insert/insert-resource.ts'
import { listByCreation } from '../../src/store/resources/list/list-by-creation.ts'
import type { ListedResource } from '../../src/store/resources/list/list-resources.ts'
import type { Database } from '../../src/store/database/database.ts'
import { readForReport } from '../../src/hyperfleet/statuses/storage/read-for-report.ts'
import { readResources } from '../../src/store/resources/read-resources.ts'
import { storeReport } from '../../src/hyperfleet/statuses/storage/store-report.ts'
import { touchReport } from '../../src/hyperfleet/statuses/storage/touch-report.ts'

/** A list without a search, newest first: the part of the list API that Prisma can express. */
export interface PlainList {
  readonly kind: string
  readonly ownerId: string | null
  readonly limit: number
  readonly offset: number
}

/** The statements of the hot paths, with one implementation in SQL and one with Prisma. */
export interface HotStatements {
  readonly insertResource: typeof insertResource
  readonly readResources: typeof readResources
  readonly listResources: (
    database: Database,
    list: PlainList,
  ) => Promise<readonly Omit<ListedResource, 'position'>[]>
  readonly readForReport: typeof readForReport
  readonly storeReport: typeof storeReport
  readonly touchReport: typeof touchReport
}

/** The implementation that the server uses: SQL through pg. */
export const pgStatements: HotStatements = {
  insertResource,
  readResources,
  listResources: async (database, list) =>
    (
      await listByCreation(database, { tenant: null, ...list, direction: 'desc', after: null })
    ).items.map(({ position: _position, ...item }) => item),
  readForReport,
  storeReport,
  touchReport,
}
