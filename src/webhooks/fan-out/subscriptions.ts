import { errorMessage } from '../../lib/error-message.ts'
import type { Registry } from '../../store/registry/registry.ts'
import type { Subscriber } from '../storage/read-subscribers.ts'
import { subscriptionFilter } from '../subscriptions/subscription-filter.ts'
import type { Subscription } from './plan-events.ts'

/** The webhooks that receive events. */
export interface Subscriptions {
  readonly all: readonly Subscription[]
  readonly byTenant: ReadonlyMap<string, readonly Subscription[]>
  /** Webhooks whose search does not fit the kinds of this server, with the reason. */
  readonly broken: ReadonlyMap<Subscription, string>
}

/** Compiles the searches of webhooks. */
export function compileSubscriptions(
  registry: Registry,
  subscribers: readonly Subscriber[],
): Subscriptions {
  const all: Subscription[] = []
  const byTenant = new Map<string, Subscription[]>()
  const broken = new Map<Subscription, string>()
  const add = (subscription: Subscription): void => {
    const { tenant } = subscription.webhook
    all.push(subscription)
    byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), subscription])
  }
  for (const subscriber of subscribers) {
    try {
      add({ ...subscriber, filter: subscriptionFilter(registry, subscriber.webhook) })
    } catch (error) {
      const subscription = { ...subscriber, filter: null }
      add(subscription)
      broken.set(subscription, errorMessage(error))
    }
  }
  return { all, broken, byTenant }
}
