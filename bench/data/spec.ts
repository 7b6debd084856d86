import type { JsonObject } from '../../src/lib/json/json.ts'

/** Bytes of one entry of `nodes`, including its comma. */
const NODE_BYTES = 97

/** A spec of about `bytes` bytes of JSON, with many small fields like real specs. */
export function specOf(random: () => number, bytes: number): JsonObject {
  const spec = {
    version: `4.${12 + Math.floor(random() * 8)}.${Math.floor(random() * 30)}`,
    platform: { type: 'gcp', project: `project-${digits(random, 6)}`, zonal: random() < 0.3 },
    networking: {
      cluster_network: [{ cidr: `10.${Math.floor(random() * 256)}.0.0/16`, host_prefix: 23 }],
      service_network: ['172.30.0.0/16'],
      mtu: 1460,
    },
    replicas: 3 + Math.floor(random() * 20),
    autoscaling: null,
  }
  const rest = bytes - JSON.stringify(spec).length
  const nodes = Math.max(0, Math.floor((rest - 20) / NODE_BYTES))
  return { ...spec, nodes: Array.from({ length: nodes }, (_, index) => nodeOf(random, index)) }
}

function nodeOf(random: () => number, index: number): JsonObject {
  return {
    name: `member-${String(index).padStart(5, '0')}`,
    zone: `zone-${1 + Math.floor(random() * 3)}`,
    cores: 2 ** (1 + Math.floor(random() * 3)),
    token: digits(random, 16) + digits(random, 16),
  }
}

function digits(random: () => number, length: number): string {
  return Math.floor(random() * 2 ** 52)
    .toString(16)
    .padStart(length, '0')
    .slice(0, length)
}

/** A size in the range, distributed log-uniformly: small sizes are more frequent. */
export function specSize(random: () => number, [min, max]: readonly [number, number]): number {
  return Math.round(min * (max / min) ** random())
}
