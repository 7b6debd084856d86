/** The addresses inside a router namespace. They never leave it, so every runtime uses the same. */
export const ROUTER = {
  /** Network between the router and slirp4netns. */
  uplinkNetwork: '100.64.0.0/24',
  /** The next hop of every sandbox. */
  gateway: '100.64.0.1',
  /** The resolver of slirp4netns, which asks the name servers of the machine. */
  resolver: '100.64.0.3',
  uplink: 'tap0',
} as const

/** The address of the API for sandboxes with access to it: a port of the router. */
export const API = { host: ROUTER.gateway, port: 443, name: 'kubernetes.default.svc' } as const

/**
 * Networks that no sandbox reaches: those of the machine, private and link-local ones with the
 * metadata services of clouds, carrier-grade NAT, benchmarks, multicast and reserved ones. The last
 * one is the metadata service of Azure, which has a public address. Sandboxes have no IPv6.
 */
export const BLOCKED_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '168.63.129.16/32',
] as const
