import type { Session } from '../session/session.ts'
import { existing } from './existing.ts'
import { webhookId } from './webhook-id.ts'

interface StateChange {
  readonly verb: 'pause' | 'resume'
  readonly ids: readonly string[]
}

/** Pauses or resumes webhooks. */
export async function changeState(
  { client, signal, out }: Session,
  { verb, ids }: StateChange,
): Promise<void> {
  const state = verb === 'pause' ? 'paused' : 'active'
  for (const id of ids.map(webhookId)) {
    await existing(client.webhooks.patch(id, { state }, { signal }))
    out.write(`webhook/${id} ${verb}d\n`)
  }
}
