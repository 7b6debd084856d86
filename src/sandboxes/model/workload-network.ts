import {
  type JsonObject,
  type JsonValue,
  listOf,
  objectOf,
  optionalNumber,
  optionalText,
  textOf,
  textsOf,
} from 'flotilla'

/** The networks that a program may connect to. */
export type WorkloadNetwork =
  | { readonly mode: 'None' | 'Internet' }
  | { readonly mode: 'Allow'; readonly rules: readonly NetworkAllowance[] }

/** Destinations of a rule. */
export interface NetworkAllowance {
  /** IPv4 networks as CIDR. */
  readonly networks: readonly string[]
  readonly except: readonly string[]
  readonly names: readonly string[]
  /** All ports if empty. */
  readonly ports: readonly AllowedPort[]
}

interface AllowedPort {
  readonly protocol: string
  /** 0 for all ports of the protocol. */
  readonly port: number
  /** The end of a range; 0 for one port. */
  readonly endPort: number
}

const EVERYWHERE = { networks: ['0.0.0.0/0'], except: [], names: [] }

/** Reads `spec.networkPolicy`; null leaves the policy to the runtime. */
export function workloadNetworkOf(policy: JsonValue | undefined): WorkloadNetwork | null {
  const { mode, egress } = objectOf(policy)
  if (mode === 'None' || mode === 'Internet') return { mode }
  if (!Array.isArray(egress)) return null
  const rules = egress.map(objectOf).flatMap(allowancesOf)
  return rules.length === 0 ? { mode: 'None' } : { mode: 'Allow', rules }
}

function allowancesOf({ to, ports }: JsonObject): readonly NetworkAllowance[] {
  const allowed = listOf(ports).map(portOf)
  const peers = listOf(to).map(objectOf)
  if (peers.length === 0) return [{ ...EVERYWHERE, ports: allowed }]
  return peers
    .map(destinationsOf)
    .filter(({ networks, names }) => networks.length + names.length > 0)
    .map((destinations) => ({ ...destinations, ports: allowed }))
}

/** Sandboxes have no IPv6, and no other sandbox or pod is within their reach. */
function destinationsOf({ ipBlock, domainNames }: JsonObject) {
  const { cidr, except } = objectOf(ipBlock)
  const network = optionalText(cidr)
  const isReachable = network !== null && !isIPv6Network(network)
  return {
    networks: isReachable ? [network] : [],
    except: isReachable ? textsOf(except) : [],
    names: textsOf(domainNames),
  }
}

/** Whether the text is meant as a network of IPv6. */
export function isIPv6Network(text: string): boolean {
  return text.includes(':')
}

function portOf(value: JsonValue): AllowedPort {
  const { protocol, port, endPort } = objectOf(value)
  return {
    protocol: textOf(protocol) || 'TCP',
    port: optionalNumber(port) ?? 0,
    endPort: optionalNumber(endPort) ?? 0,
  }
}
