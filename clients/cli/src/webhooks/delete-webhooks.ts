import { confirm } from '../input/confirm.ts'
import type { Session } from '../session/session.ts'
import { existing } from './existing.ts'
import { webhookId } from './webhook-id.ts'

/** Deletes webhooks. One that the user has named needs no question. */
export async function deleteWebhooks(
  session: Session,
  args: readonly string[],
  { yes }: { readonly yes?: boolean | undefined },
): Promise<void> {
  const { client, signal, out } = session
  const ids = args.map(webhookId)
  if (ids.length > 1) await confirm(session, `Delete ${ids.length} webhooks?`, yes === true)
  for (const id of ids) {
    await existing(client.webhooks.delete(id, { signal }))
    out.write(`webhook/${id} deleted\n`)
  }
}
