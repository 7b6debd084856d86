import type { AllowedPort, AllowRule, NetworkPolicy } from './network-policy.ts'
import { API, BLOCKED_NETWORKS, ROUTER } from './router-addresses.ts'
import { addressKey } from './sandbox-address.ts'

/** A sandbox as the rules of the router see it. */
export interface RoutedSandbox {
  readonly address: string
  /** The name of the sandbox. */
  readonly name: string
  readonly policy: NetworkPolicy
  /** Whether it may connect to the API. */
  readonly reachesApi: boolean
  /** The addresses of the names in its policy. */
  readonly resolved: ReadonlyMap<string, readonly string[]>
}

/** One sandbox cannot take the connections of all others, which share slirp4netns. */
const MAX_CONNECTIONS = 512
/** An answer, so that programs fail immediately. The kernel limits the rate of ICMP, not of resets. */
const REJECT = 'goto refuse'
const MAX_QUERIES_PER_SECOND = 100

/**
 * The whole table of the router, as one transaction of nft. Each change replaces it, so that no rule
 * of an ended sandbox can stay. Established connections survive, because the kernel tracks them
 * outside of the table.
 */
export function routerRules(
  sandboxes: readonly RoutedSandbox[],
  ownAddresses: readonly string[],
): string {
  const blocked = [...BLOCKED_NETWORKS, ...ownAddresses].join(', ')
  return `table inet flotilla
delete table inet flotilla
table inet flotilla {
  set blocked { type ipv4_addr; flags interval; auto-merge; elements = { ${blocked} }; }
  set connections { type ipv4_addr; size 65536; flags dynamic; }
  set queries { type ipv4_addr; size 65536; flags dynamic; timeout 1m; }
  chain refuse {
    meta l4proto tcp reject with tcp reset
    reject with icmpx type admin-prohibited
  }
  chain public {
    ip daddr @blocked ${REJECT}
    add @connections { ip saddr ct count over ${MAX_CONNECTIONS} } ${REJECT}
    oifname "${ROUTER.uplink}" accept
  }
  chain api {
    add @connections { ip saddr ct count over ${MAX_CONNECTIONS} } ${REJECT}
    accept
  }
  chain internet {
    ip daddr ${ROUTER.resolver} meta l4proto { tcp, udp } th dport 53 jump resolver
    jump public
  }
  chain resolver {
    add @queries { ip saddr limit rate over ${MAX_QUERIES_PER_SECOND}/second burst ${MAX_QUERIES_PER_SECOND} packets } drop
    accept
  }
${sandboxes.map(allowChain).join('')}  chain forward {
    type filter hook forward priority filter; policy drop;
    ct state established,related accept
    meta nfproto != ipv4 drop
${sourceRule(sandboxes)}    ${REJECT}
  }
  chain input {
    type filter hook input priority filter; policy drop;
    ct state established,related accept
    iifname "lo" accept
${apiRule(sandboxes)}    ${REJECT}
  }
  chain translate {
    type nat hook postrouting priority srcnat;
    oifname "${ROUTER.uplink}" masquerade
  }
}
`
}

/** Sandboxes are found by interface and address together, so that no sandbox can use another's. */
function sourceRule(sandboxes: readonly RoutedSandbox[]): string {
  const elements = sandboxes.flatMap(({ address, policy }) => {
    const chain = chainOf(policy, address)
    return chain === null ? [] : [`"v${addressKey(address)}" . ${address} : jump ${chain}`]
  })
  return elements.length === 0 ? '' : `    iifname . ip saddr vmap { ${elements.join(', ')} }\n`
}

/** The API is the only port of the router. */
function apiRule(sandboxes: readonly RoutedSandbox[]): string {
  const elements = sandboxes
    .filter(({ reachesApi }) => reachesApi)
    .map(({ address }) => `"v${addressKey(address)}" . ${address}`)
  if (elements.length === 0) return ''
  const source = `iifname . ip saddr { ${elements.join(', ')} }`
  return `    ${source} ip daddr ${API.host} tcp dport ${API.port} jump api\n`
}

function chainOf({ mode }: NetworkPolicy, address: string): string | null {
  switch (mode) {
    case 'None':
      return null
    case 'Internet':
      return 'internet'
    case 'Allow':
      return `allow_${addressKey(address)}`
  }
}

function allowChain(sandbox: RoutedSandbox): string {
  const { address, policy } = sandbox
  if (policy.mode !== 'Allow') return ''
  const rules = policy.rules.flatMap((rule) => allowRule(rule, sandbox.resolved))
  return `  chain allow_${addressKey(address)} {\n${rules.map((rule) => `    ${rule}\n`).join('')}  }\n`
}

function allowRule(
  { networks, except, names, ports }: AllowRule,
  resolved: RoutedSandbox['resolved'],
): readonly string[] {
  const named = new Set(names.flatMap((name) => resolved.get(name) ?? []))
  const closed = except.length === 0 ? '' : ` ip daddr != { ${except.join(', ')} }`
  const destinations = networks.map((network) => `ip daddr ${network}${closed}`)
  if (named.size > 0) destinations.push(`ip daddr { ${[...named].join(', ')} }`)
  const matches = portMatches(ports)
  return destinations.flatMap((each) => matches.map((match) => `${each}${match} jump public`))
}

/** A match per protocol: a rule per address and port would make the table too large to replace. */
function portMatches(ports: readonly AllowedPort[]): readonly string[] {
  if (ports.length === 0) return ['']
  return (['TCP', 'UDP'] as const).flatMap((protocol) => {
    const own = ports.filter((each) => each.protocol === protocol)
    const name = protocol.toLowerCase()
    if (own.length === 0) return []
    if (own.some(({ port }) => port === 0)) return [` meta l4proto ${name}`]
    return [` ${name} dport { ${own.map(portRange).join(', ')} }`]
  })
}

function portRange({ port, endPort }: AllowedPort): string {
  return endPort > port ? `${port}-${endPort}` : `${port}`
}
