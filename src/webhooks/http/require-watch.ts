import type { Response } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import type { Webhook } from '../../store/model/webhook.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { kindsOfAll } from '../../store/registry/verb.ts'
import type { Database } from '../../store/database/database.ts'
import { readHeldTypes } from '../storage/read-held-types.ts'
import { requireAccess } from '../../http/auth/authorize.ts'

interface Rules {
  readonly authorizer: Authorizer
  readonly registry: Registry
}

/** Events about the webhook have no kind. */
const OWN_TYPES: ReadonlySet<string> = new Set(['webhook.test', 'webhook.resync'])

/** Throws `forbidden` unless the caller may watch all kinds whose changes the webhook sends. */
export async function requireKinds(
  rules: Rules,
  response: Response,
  { kinds }: Pick<Webhook, 'kinds'>,
): Promise<void> {
  const names = kinds.length > 0 ? kinds : kindsOfAll(rules.registry).map(({ kind }) => kind)
  await requireWatch(rules, response, names)
}

/** Throws `forbidden` unless the caller may watch the kinds of events of these types. */
export async function requireEventTypes(
  rules: Rules,
  response: Response,
  types: readonly string[],
): Promise<void> {
  const ofChanges = types.filter((type) => !OWN_TYPES.has(type))
  const names = new Set(ofChanges.map((type) => type.slice(0, type.lastIndexOf('.'))))
  await requireWatch(rules, response, [...names])
}

/**
 * Throws `forbidden` unless the caller may watch the kinds of all events that the webhook can still
 * send. Its kinds may have been narrowed after they were queued.
 */
export async function requireHeldEvents(
  rules: Rules & { readonly database: Database },
  response: Response,
  { id }: Pick<Webhook, 'id'>,
): Promise<void> {
  if (!rules.authorizer.isDetailed) return
  await requireEventTypes(rules, response, await readHeldTypes(rules.database, id))
}

/** A kind that is not registered has no plural: only roles for all resources allow it. */
async function requireWatch(
  { authorizer, registry }: Rules,
  response: Response,
  /** In any case. */
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const lowerCase = name.toLowerCase()
    const kind = registry.kinds.find((each) => each.kind.toLowerCase() === lowerCase)
    const access = {
      verb: 'watch',
      resource: kind?.plural ?? lowerCase,
      subresource: null,
    } as const
    await requireAccess(authorizer, response, access)
  }
}
