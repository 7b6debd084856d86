import { dryRunDatabase } from '../../database/dry-run-database.ts'
import type { Context } from '../context.ts'

/** The context of a dry run: operations run in full, but nothing is stored. */
export function dryRunContext(context: Context): Context {
  return {
    ...context,
    database: dryRunDatabase(context.database),
    insertBatches: null,
  }
}
