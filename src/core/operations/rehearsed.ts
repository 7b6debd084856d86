import { rehearse } from '../storage/database/rehearse.ts'
import type { Context } from './context.ts'

/** The context of a dry run: operations do all they do, and nothing is kept. */
export function rehearsed(context: Context): Context {
  return { ...context, database: rehearse(context.database), batches: null, insertBatches: null }
}
