import type { Request, Response } from 'express'
import type { Context } from '../../../store/operations/context.ts'
import { isDryRun } from '../requests/dry-run.ts'

/** The header with a write's token, which reads accept as `minResourceVersion`. */
export const WRITE_TOKEN_HEADER = 'X-Write-Token'

/** Adds the token of a write that has been committed; a dry run has none. */
export function setWriteToken(
  request: Request,
  response: Response,
  { feed }: Pick<Context, 'feed'>,
): void {
  if (isDryRun(request)) return
  response.setHeader(
    WRITE_TOKEN_HEADER,
    feed.writeTokens.issue(feed.broadcaster.resourceVersion.epoch),
  )
}
