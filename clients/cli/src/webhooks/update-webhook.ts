import type { WebhookEventName, WebhookPatchRequest } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { existing } from './existing.ts'
import { webhookId } from './webhook-id.ts'
import { webhookKinds } from './webhook-kinds.ts'

/** Selects every kind or event again. */
const ALL = 'all'

/** The options of `flotilla webhook update`. */
export interface UpdateWebhookOptions {
  readonly url?: string | undefined
  readonly kind?: readonly string[] | undefined
  /** Empty for no search. */
  readonly search?: string | undefined
  readonly event?: readonly (WebhookEventName | typeof ALL)[] | undefined
  readonly description?: string | undefined
}

/** Changes the fields of a webhook that the options name. */
export async function updateWebhook(
  session: Session,
  argument: string,
  options: UpdateWebhookOptions,
): Promise<void> {
  const { client, signal, out } = session
  const id = webhookId(argument)
  const change = await changeOf(session, options)
  if (Object.keys(change).length === 0) {
    throw new CliError('nothing to change', {
      exit: 'usage',
      hint: 'Name a field, such as --url or --search.',
    })
  }
  await existing(client.webhooks.patch(id, change, { signal }))
  out.write(`webhook/${id} changed\n`)
}

async function changeOf(
  session: Session,
  { url, kind, search, event, description }: UpdateWebhookOptions,
): Promise<WebhookPatchRequest> {
  return {
    ...(url !== undefined && { url }),
    ...(kind !== undefined && {
      kinds: kind.includes(ALL) ? null : await webhookKinds(session, kind),
    }),
    ...(search !== undefined && { search: search === '' ? null : search }),
    ...(event !== undefined && { events: event.some(isAll) ? null : event.filter(isEvent) }),
    ...(description !== undefined && { description }),
  }
}

function isAll(name: string): name is typeof ALL {
  return name === ALL
}

function isEvent(name: WebhookEventName | typeof ALL): name is WebhookEventName {
  return name !== ALL
}
