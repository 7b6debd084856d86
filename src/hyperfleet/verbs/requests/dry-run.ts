import type { Request } from 'express'
import type { Context } from '../../../store/operations/context.ts'
import { dryRunContext } from '../../../store/operations/write/dry-run-context.ts'

/** The context of a write. With `dryRun=All`, its database rolls everything back. */
export function contextOf(request: Request, operations: Context): Context {
  return isDryRun(request) ? dryRunContext(operations) : operations
}

/** Whether the request is a dry run. */
export function isDryRun(request: Request): boolean {
  return request.query['dryRun'] === 'All'
}
