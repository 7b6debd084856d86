import { keepNetworks } from './keep-networks.ts'
import { linkScript, networkNames, unlinkScript } from './link-script.ts'
import { listenInRouter } from './listen-in-router.ts'
import { networkFiles, writeNetworkFiles } from './network-files.ts'
import { namesOf } from './network-policy.ts'
import { createNetworkRules } from './network-rules.ts'
import { createNameResolver } from './resolve-names.ts'
import type { Router } from './router.ts'
import { API } from './router-addresses.ts'
import { sandboxAddress } from './sandbox-address.ts'
import type {
  NetworkRecord,
  NetworksOptions,
  SandboxNetwork,
  SandboxNetworks,
} from './sandbox-networks.ts'

type Operations = Omit<SandboxNetworks, 'modes' | 'problem'>

/** The operations of the networks in a router. Removes what ended sandboxes have left there. */
export async function createNetworks(
  { live, log, closing }: NetworksOptions,
  router: Router,
): Promise<Operations> {
  const attached = new Map(live.map((record) => [record.address, record]))
  const rules = createNetworkRules({ router, attached, resolve: createNameResolver(), log })

  async function attach(record: NetworkRecord): Promise<SandboxNetwork> {
    const { address, directory, policy } = record
    if (namesOf(policy).length > 0) await rules.refreshNames()
    const files = networkFiles(directory)
    await writeNetworkFiles(files, rules.routed(record))
    await rules.change(linkScript(address))
    const namespace = router.namespaceFile(networkNames(address).namespace)
    return { record, entry: router.enter(namespace), namespace, files }
  }

  async function release(address: string): Promise<void> {
    if (!attached.delete(address)) return
    await rules.change(unlinkScript(address)).catch((error) => {
      // The next start of the runtime removes the rest.
      log.warn({ err: error, address }, 'removing a network failed')
    })
  }

  await rules.change(removeOthers(live))
  const freshness = keepNetworks({ router, rules, attached, log, closing })
  return {
    reserve: ({ uid, ...request }) => {
      const record = { address: sandboxAddress(uid, new Set(attached.keys())), ...request }
      attached.set(record.address, record)
      return record
    },
    attach: async (record) => {
      try {
        return await attach(record)
      } catch (error) {
        await release(record.address)
        throw error
      }
    },
    enter: (pid) => router.enter(`/proc/${pid}/ns/net`),
    // The address of the router exists only beside a sandbox.
    listen: () => listenInRouter(router.enter(router.own), { host: '0.0.0.0', port: API.port }),
    apiPlaneOf: (address) => attached.get(address)?.apiPlane ?? null,
    release,
    close: async () => {
      await freshness
      if (attached.size === 0) await router.stop()
    },
  }
}

/** A script that removes all networks except those of the records. */
function removeOthers(live: readonly NetworkRecord[]): string {
  const kept = live.map(({ address }) => networkNames(address).namespace)
  return [
    'for name in $(ls /run/netns); do',
    `case " ${kept.join(' ')} " in *" $name "*) continue;; esac`,
    'ip link del "v${name#s}" 2>/dev/null || :',
    'ip netns del "$name"',
    'done',
  ].join('\n')
}
