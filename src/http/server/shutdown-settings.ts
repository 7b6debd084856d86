import {
  MAX_TIMER_MS,
  milliseconds,
  readInteger,
  retired,
  type Setting,
} from '../../lib/settings/setting.ts'

/** The settings of an orderly shutdown. */
export const SHUTDOWN_SETTINGS = {
  shutdownDelayMs: milliseconds({
    env: 'SHUTDOWN_DELAY_MS',
    min: 0,
    max: 600_000,
    default: 0,
    doc: 'Time after SIGTERM in which the server is not ready but still accepts requests, so that a load balancer can remove it. Choose more than the balancer needs to notice. Afterwards, requests in flight have 20 s to finish.',
  }),
  shutdownTimeoutMs: retired({
    env: 'SHUTDOWN_TIMEOUT_MS',
    doc: 'requests in flight have 20 s to finish',
    read: (value) => readInteger(value, { min: 0, max: MAX_TIMER_MS }),
  }),
} as const satisfies Record<string, Setting<unknown>>
