import { errorMessage } from '../../../lib/error-message.ts'
import type { Registry } from '../../registry/registry.ts'
import type { Subscriber } from '../../storage/webhooks/read-subscribers.ts'
import { subscriptionFilter } from '../subscriptions/subscription-filter.ts'
import type { Subscription } from './plan-events.ts'

/** The webhooks that receive events. */
export interface Subscriptions {
  readonly all: readonly Subscription[]
  readonly byTenant: ReadonlyMap<string, readonly Subscription[]>
  /** Webhooks whose search does not fit the current kinds, with the reason. */
  readonly broken: ReadonlyMap<string, string>
}

/** Compiles the searches of webhooks. */
export function compileSubscriptions(
  registry: Registry,
  subscribers: readonly Subscriber[],
): Subscriptions {
  const all: Subscription[] = []
  const byTenant = new Map<string, Subscription[]>()
  const broken = new Map<string, string>()
  for (const subscriber of subscribers) {
    const { id, tenant } = subscriber.webhook
    try {
      const filter = subscriptionFilter(registry, subscriber.webhook)
      const subscription = { ...subscriber, filter }
      all.push(subscription)
      byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), subscription])
    } catch (error) {
      broken.set(id, errorMessage(error))
    }
  }
  return { all, broken, byTenant }
}
