import { repeat } from '../lib/async/repeat.ts'
import { type Deliveries, type DeliveryOptions, startDeliveries } from './delivery/delivery-loop.ts'
import { type FanOut, type FanOutOptions, startFanOut } from './fan-out/fan-out.ts'
import { sealStoredUrls } from './subscriptions/seal-stored-urls.ts'
import { type DeliveryRetention, removeOldDeliveries } from './remove-old-deliveries.ts'

const REMOVAL_INTERVAL_MS = 60_000
/** An older server counts as live for 15 s. */
const SEALING_INTERVAL_MS = 20_000

export interface WebhookOptions
  extends Omit<DeliveryOptions, 'hasWebhooks'>, Omit<FanOutOptions, 'onQueued'> {
  readonly retention: DeliveryRetention
}

/** The parts of one process that send events to webhooks. */
export interface RunningWebhooks extends AsyncDisposable {
  readonly fanOut: FanOut
  readonly deliveries: Deliveries
}

/** Starts to queue and send events, and to remove old ones. Several servers share the work. */
export function startWebhooks(options: WebhookOptions): RunningWebhooks {
  const deliveries = startDeliveries({ ...options, hasWebhooks: () => fanOut.hasWebhooks() })
  const fanOut = startFanOut({ ...options, onQueued: () => deliveries.wake() })
  const { database, retention, onError } = options
  const sealing = repeat({ pauseMs: SEALING_INTERVAL_MS, onError }, () => sealStoredUrls(options))
  const removal = repeat({ pauseMs: REMOVAL_INTERVAL_MS, onError }, () =>
    removeOldDeliveries(database, retention),
  )
  return {
    fanOut,
    deliveries,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([
        sealing[Symbol.asyncDispose](),
        removal[Symbol.asyncDispose](),
        fanOut[Symbol.asyncDispose](),
      ])
      await deliveries[Symbol.asyncDispose]()
    },
  }
}
