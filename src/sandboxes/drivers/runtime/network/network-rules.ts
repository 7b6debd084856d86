import { createBatcher, type Log } from 'flotilla'
import { RULES_SCRIPT } from './link-script.ts'
import { createNameCache } from './name-cache.ts'
import { networkFiles, writeNetworkFiles } from './network-files.ts'
import { namesOf } from './network-policy.ts'
import type { ResolveName } from './resolve-names.ts'
import type { Router } from './router.ts'
import { type RoutedSandbox, routerRules } from './router-rules.ts'
import type { NetworkRecord } from './sandbox-networks.ts'
import os from 'node:os'

const MAX_BATCH = 32
const QUEUE_TIMEOUT_MS = 20_000

/** The rules of a router for the attached networks, which the caller changes. */
export interface NetworkRules {
  /** Runs a script in the router, then replaces the rules. Changes that wait share one run. */
  change(script: string): Promise<unknown>
  /** A network with the addresses of the names in its policy. */
  routed(record: NetworkRecord): RoutedSandbox
  /** Resolves the names whose addresses have expired. Returns whether the rules must change. */
  refreshNames(): Promise<boolean>
  /** Adapts rules and files to changed names and to changed addresses of the machine. */
  refresh(): Promise<void>
}

interface NetworkRulesOptions {
  readonly router: Pick<Router, 'run'>
  readonly attached: ReadonlyMap<string, NetworkRecord>
  readonly resolve: ResolveName
  readonly log: Log
}

export function createNetworkRules(options: NetworkRulesOptions): NetworkRules {
  const { router, attached, resolve, log } = options
  const names = createNameCache(resolve, () => performance.now())
  let addresses = ownAddresses()

  const change = createBatcher<string, null>(
    async (scripts) => {
      const script = ['set -e', ...scripts, RULES_SCRIPT].join('\n')
      await router.run(script, routerRules([...attached.values()].map(routed), addresses))
      return scripts.map(() => null)
    },
    { name: 'networks', maxBatchSize: MAX_BATCH, timeoutMs: QUEUE_TIMEOUT_MS, concurrency: 1 },
  )

  function routed({ address, name, policy, apiPlane }: NetworkRecord): RoutedSandbox {
    const resolved = names.addressesOf(namesOf(policy))
    return { address, name, policy, resolved, reachesApi: apiPlane !== undefined }
  }

  /** A new address changes the files of all sandboxes that may use its name. */
  async function refreshNames(): Promise<boolean> {
    const records = [...attached.values()]
    const isChanged = await names.refresh([
      ...new Set(records.flatMap(({ policy }) => namesOf(policy))),
    ])
    const named = records.filter(({ policy }) => policy.mode === 'Allow')
    if (isChanged) for (const record of named) await writeFiles(record)
    return isChanged
  }

  async function writeFiles(record: NetworkRecord): Promise<void> {
    await writeNetworkFiles(networkFiles(record.directory), routed(record)).catch((error) => {
      log.warn({ err: error, address: record.address }, 'writing the hosts file failed')
    })
  }

  return {
    change,
    routed,
    refreshNames,
    refresh: async () => {
      const current = ownAddresses()
      const isMoved = current.join() !== addresses.join()
      addresses = current
      const isRenamed = await refreshNames()
      if (isRenamed || isMoved) await change('')
    },
  }
}

/** The IPv4 addresses of this machine. */
function ownAddresses(): readonly string[] {
  const all = Object.values(os.networkInterfaces()).flatMap((entries) => entries ?? [])
  const found = all.filter(({ family }) => family === 'IPv4').map(({ address }) => address)
  return [...new Set(found)].toSorted()
}
