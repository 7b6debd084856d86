import { newId } from '../../lib/ids.ts'
import { FlotillaError } from '../../lib/errors.ts'
import type { Webhook, WebhookFields } from '../../store/model/webhook.ts'
import { changeDefinitions } from '../storage/change-definitions.ts'
import { insertWebhook } from '../storage/insert-webhook.ts'
import { requireValid } from './require-valid.ts'
import { newSecret } from './secret.ts'
import { sealedUrl } from './stored-url.ts'
import type { WebhookContext } from './webhook-context.ts'

interface Creation {
  readonly tenant: string
  readonly user: string
  readonly fields: WebhookFields
}

/** Creates a webhook. It receives every change that is committed from now on. */
export async function createWebhook(
  context: WebhookContext,
  { tenant, user, fields }: Creation,
): Promise<{ readonly webhook: Webhook; readonly secret: string }> {
  const { database, clock, secrets, limit, notify } = context
  requireValid(context, tenant, fields)
  const now = clock()
  const webhook: Webhook = {
    ...fields,
    id: newId(now),
    tenant,
    disabledReason: '',
    urlProblem: '',
    previousSecretUntil: null,
    createdTime: now,
    updatedTime: now,
    createdBy: user,
    updatedBy: user,
  }
  const secret = newSecret()
  const stored = {
    secret: secrets.seal(secret, webhook.id),
    url: await sealedUrl(context, webhook),
  }
  const isInserted = await changeDefinitions(database, (locked) =>
    insertWebhook(locked, {
      webhook: { ...webhook, url: stored.url },
      secret: stored.secret,
      limit,
    }),
  )
  if (!isInserted) {
    throw new FlotillaError(
      'state-conflict',
      `There are ${limit} webhooks already, the maximum: delete one first`,
    )
  }
  notify()
  return { webhook, secret }
}
