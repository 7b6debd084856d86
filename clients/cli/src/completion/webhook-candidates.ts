import type { Session } from '../session/session.ts'
import { webhookId } from '../webhooks/webhook-id.ts'
import type { Candidate } from './candidate.ts'

const MAX_DELIVERIES = 100

/** The IDs of webhooks, with their URLs. */
export async function webhookCandidates({
  client,
  signal,
}: Session): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = []
  for await (const { id, url } of client.webhooks.list({ signal })) {
    candidates.push({ value: id, description: url })
  }
  return candidates
}

/** The IDs of the dead letters of a webhook, with their types. */
export async function deadLetterCandidates(
  { client, signal }: Session,
  webhook: string,
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = []
  const dead = client.webhooks.deliveries(webhookId(webhook), { state: 'dead', signal })
  for await (const { id, type } of dead) {
    if (candidates.push({ value: id, description: type }) === MAX_DELIVERIES) break
  }
  return candidates
}
