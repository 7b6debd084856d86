import { type Log, pause } from 'flotilla'
import type { NetworkRules } from './network-rules.ts'
import type { Router } from './router.ts'
import type { NetworkRecord } from './sandbox-networks.ts'

interface KeptNetworks {
  readonly router: Router
  readonly rules: NetworkRules
  readonly attached: ReadonlyMap<string, NetworkRecord>
  readonly log: Log
  readonly closing: AbortSignal
}

const REFRESH_MS = 1000

/** Adapts the rules to names and addresses, and starts a killed router again, until `closing`. */
export async function keepNetworks(networks: KeptNetworks): Promise<void> {
  const { rules, attached, log, closing } = networks
  while (!closing.aborted) {
    await pause(REFRESH_MS, closing)
    if (closing.aborted) return
    await restoreRouter(networks)
    if (attached.size === 0) continue
    await rules.refresh().catch((error) => log.warn({ err: error }, 'refreshing networks failed'))
  }
}

async function restoreRouter({ router, log }: KeptNetworks): Promise<void> {
  try {
    if (await router.restore()) log.warn({}, 'the router of networks was killed: it runs again')
  } catch (error) {
    log.warn({ err: error }, 'starting the router of networks again failed')
  }
}
