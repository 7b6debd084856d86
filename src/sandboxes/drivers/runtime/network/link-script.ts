import { ROUTER } from './router-addresses.ts'
import { addressKey } from './sandbox-address.ts'

/** Replaces the rules of the router by those on its standard input. */
export const RULES_SCRIPT = 'nft -f -'

/** A script that creates the namespace of an address with its link to the router. */
export function linkScript(address: string): string {
  const { namespace, link } = networkNames(address)
  return [
    // The link exists only beside the namespace, so most starts have nothing to remove.
    `if [ -e /run/netns/${namespace} ]; then`,
    unlinkScript(address),
    'fi',
    'ip -batch - <<END',
    `netns add ${namespace}`,
    `link add ${link} type veth peer name eth0 netns ${namespace}`,
    `link set ${link} addrgenmode none`,
    `addr add ${ROUTER.gateway}/32 dev ${link}`,
    `link set ${link} up`,
    `route add ${address}/32 dev ${link}`,
    'END',
    `ip -n ${namespace} -batch - <<END`,
    'link set lo up',
    'link set eth0 addrgenmode none',
    `addr add ${address}/32 dev eth0`,
    'link set eth0 up',
    `route add ${ROUTER.gateway} dev eth0`,
    `route add default via ${ROUTER.gateway}`,
    'END',
  ].join('\n')
}

/**
 * A script that removes the namespace of an address and its link. The link comes first: the end of a
 * namespace removes it too, but later.
 */
export function unlinkScript(address: string): string {
  const { namespace, link } = networkNames(address)
  return [
    `ip link del ${link} 2>/dev/null || :`,
    `if [ -e /run/netns/${namespace} ]; then ip netns del ${namespace}; fi`,
  ].join('\n')
}

/** The names of a sandbox's namespace and of its interface in the router. */
export function networkNames(address: string): {
  readonly namespace: string
  readonly link: string
} {
  const key = addressKey(address)
  return { namespace: `s${key}`, link: `v${key}` }
}
