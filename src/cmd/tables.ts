import type { Capability } from '../capability/capability.ts'
import { STORE_TABLES } from '../store/tables/store-tables.ts'
import type { Table } from '../store/tables/table.ts'
import { CAPABILITIES } from './capabilities.ts'

/** The whole schema in an order that foreign keys allow: backups and moves cover all of it. */
export const TABLES: readonly Table[] = [
  ...STORE_TABLES,
  ...CAPABILITIES.flatMap((capability: Capability) => capability.tables ?? []),
]
