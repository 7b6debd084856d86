import type { Request } from 'express'
import type { Context } from '../../operations/context.ts'
import { rehearsed } from '../../operations/rehearsed.ts'

/** What a write works with: with `dryRun=All` a database that keeps nothing. */
export function contextOf(request: Request, operations: Context): Context {
  return request.query['dryRun'] === 'All' ? rehearsed(operations) : operations
}
