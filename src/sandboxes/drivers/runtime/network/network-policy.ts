/** The networks that a sandbox may connect to. Nothing connects to a sandbox. */
export type NetworkPolicy =
  | { readonly mode: 'None' }
  /** Public addresses, and a resolver for names. */
  | { readonly mode: 'Internet' }
  /** The public addresses that a rule names. */
  | { readonly mode: 'Allow'; readonly rules: readonly AllowRule[] }

export interface AllowRule {
  /** IPv4 networks as CIDR. */
  readonly networks: readonly string[]
  /** Parts of the networks that stay closed. */
  readonly except: readonly string[]
  /** Names that the runtime resolves. */
  readonly names: readonly string[]
  /** All ports if empty. */
  readonly ports: readonly AllowedPort[]
}

export interface AllowedPort {
  readonly protocol: 'TCP' | 'UDP'
  /** 0 for all ports of the protocol. */
  readonly port: number
  /** The end of a range; 0 for one port. */
  readonly endPort: number
}

/** The names in the rules of a policy. */
export function namesOf(policy: NetworkPolicy): readonly string[] {
  return policy.mode === 'Allow' ? [...new Set(policy.rules.flatMap(({ names }) => names))] : []
}
