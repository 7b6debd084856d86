import { readFormat } from '../output/formats.ts'
import type { Session } from '../session/session.ts'
import { existing } from './existing.ts'
import { printSecret } from './print-secret.ts'
import { webhookId } from './webhook-id.ts'

/** The options of `flotilla webhook rotate-secret`. */
export interface RotateSecretOptions {
  /** How long the old secret stays valid, in milliseconds. */
  readonly overlap: number
  /** Whether the old secret becomes invalid immediately. */
  readonly revoke?: boolean | undefined
  readonly output?: string | undefined
}

/** Replaces the secret of a webhook, and prints the new one. */
export async function rotateSecret(
  session: Session,
  argument: string,
  { overlap, revoke = false, output }: RotateSecretOptions,
): Promise<void> {
  const { client, signal } = session
  const format = readFormat(output, ['json', 'yaml', 'name', 'jsonpath'])
  const overlapSeconds = revoke ? 0 : Math.ceil(overlap / 1000)
  const id = webhookId(argument)
  const webhook = await existing(client.webhooks.rotateSecret(id, { overlapSeconds, signal }))
  const until = webhook.previous_secret_until
  const old =
    until === undefined ? 'the old secret is invalid' : `the old secret is valid until ${until}`
  await printSecret(session, webhook, { format, result: `has a new secret, ${old}` })
}
