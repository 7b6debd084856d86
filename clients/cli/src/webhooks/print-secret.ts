import type { WebhookWithSecret } from '../../../typescript/src/index.ts'
import type { Format } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import type { Session } from '../session/session.ts'

/** Prints a webhook with a new secret, which no other response contains. */
export async function printSecret(
  { out, err }: Session,
  webhook: WebhookWithSecret,
  { format, result }: { readonly format: Format; readonly result: string },
): Promise<void> {
  const { id, secret } = webhook
  if (format.name === 'name') out.write(`webhook/${id}\n`)
  else if (format.name === 'table' || format.name === 'wide') {
    out.write(`webhook/${id} ${result}\nSecret: ${secret}\n`)
    err.write('Keep the secret, which verifies events: it is not shown again.\n')
  } else out.write(await objectText(format, webhook))
}
