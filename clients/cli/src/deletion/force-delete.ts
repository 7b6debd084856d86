import { NotFound } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { Session } from '../session/session.ts'
import { requestDeletion } from './request-deletion.ts'

interface ForcedDeletion {
  readonly reason?: string | undefined
  readonly dryRun?: boolean | undefined
}

/** Removes a resource without its adapters. The server records the reason. */
export async function forceDelete(
  session: Session,
  located: LocatedObject,
  options: ForcedDeletion,
): Promise<void> {
  const { path, object } = located
  const { reason, dryRun } = options
  if (reason === undefined || reason.trim() === '') throw withoutReason()
  if (object['deleted_time'] === undefined) {
    await requestDeletion(session, located.path, options)
    // The server rejects a forced deletion before the deletion was requested.
    if (dryRun === true) return
  }
  const { client, signal } = session
  const query = { dryRun: dryRun === true ? 'All' : undefined }
  const request = { method: 'POST', path: `${path}/force-delete`, body: { reason }, query } as const
  await client.request({ ...request, signal, retry: 'always' }).catch((error: unknown) => {
    // Without required adapters, the resource is gone already.
    if (!(error instanceof NotFound)) throw error
  })
}

function withoutReason(): CliError {
  return new CliError('a forced deletion needs a reason', {
    exit: 'usage',
    hint: "Add --reason 'TEXT': the server records it with your name.",
  })
}
