import type { Request } from 'express'
import type { Context } from '../../../core/operations/context.ts'
import { dryRunContext } from '../../../core/operations/write/dry-run-context.ts'

/** What a write works with: with `dryRun=All` a database that keeps nothing. */
export function contextOf(request: Request, operations: Context): Context {
  return isDryRun(request) ? dryRunContext(operations) : operations
}

/** Whether the caller only wants to know what would become of the request. */
export function isDryRun(request: Request): boolean {
  return request.query['dryRun'] === 'All'
}
