import { milliseconds, type Setting } from '../../lib/settings/setting.ts'

/** The settings of an orderly shutdown. */
export const SHUTDOWN_SETTINGS = {
  shutdownDelayMs: milliseconds({
    env: 'SHUTDOWN_DELAY_MS',
    min: 0,
    max: 600_000,
    default: 0,
    doc: 'Time after SIGTERM in which the server is not ready but still accepts requests, so that a load balancer can remove it. Choose more than the balancer needs to notice.',
  }),
  shutdownTimeoutMs: milliseconds({
    env: 'SHUTDOWN_TIMEOUT_MS',
    min: 0,
    default: 20_000,
    doc: 'Time that requests in flight have to finish after SIGTERM and SHUTDOWN_DELAY_MS.',
  }),
} as const satisfies Record<string, Setting<unknown>>
