import { isIPv4 } from 'node:net'
import type {
  NetworkPolicy as PolicyMessage,
  NetworkPort,
  NetworkRule,
} from '../../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import type { AllowedPort, AllowRule, NetworkPolicy } from './network-policy.ts'

const CIDR = /^([\d.]+)\/(\d{1,2})$/
const NAME =
  /^(?=.{1,253}$)(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/
const MAX_RULES = 64
const MAX_ENTRIES = 256
const MAX_PORT = 65_535
const MAX_BITS = 32

/** Reads the policy of a workload. Its text becomes rules of nft and lines of files. */
export function readPolicy({ mode, rules }: PolicyMessage): NetworkPolicy {
  if (rules.length > 0 && mode !== 'Allow') throw invalid(`the mode ${mode} has no rules`)
  switch (mode) {
    case 'None':
    case 'Internet':
      return { mode }
    case 'Allow':
      if (rules.length > MAX_RULES) throw invalid(`there are more than ${MAX_RULES} rules`)
      return { mode, rules: rules.map(readRule) }
    default:
      throw invalid(`the mode '${mode}' must be None, Internet or Allow`)
  }
}

function readRule({ networks, except, names, ports }: NetworkRule): AllowRule {
  for (const list of [networks, except, names, ports]) {
    if (list.length > MAX_ENTRIES) throw invalid(`a list has more than ${MAX_ENTRIES} entries`)
  }
  for (const network of [...networks, ...except]) {
    if (!isNetwork(network)) throw invalid(`'${network}' is not an IPv4 network`)
  }
  for (const name of names) {
    if (!NAME.test(name) || isIPv4(name)) throw invalid(`'${name}' is not a name in lower case`)
  }
  return { networks, except, names, ports: ports.map(readPort) }
}

function isNetwork(text: string): boolean {
  const [, address = '', bits] = CIDR.exec(text) ?? []
  return isIPv4(address) && Number(bits) <= MAX_BITS
}

function readPort({ protocol, port, endPort }: NetworkPort): AllowedPort {
  if (protocol !== 'TCP' && protocol !== 'UDP') {
    throw invalid(`the protocol '${protocol}' must be TCP or UDP`)
  }
  const isInRange = (value: number): boolean => value >= 0 && value <= MAX_PORT
  const isRange = endPort !== 0
  if (!isInRange(port) || !isInRange(endPort) || (isRange && (port === 0 || endPort < port))) {
    throw invalid(`the ports ${port} to ${endPort} are not a range`)
  }
  return { protocol, port, endPort }
}

function invalid(problem: string): SandboxDriverError {
  return new SandboxDriverError('INVALID_ARGUMENT', `network_policy: ${problem}`)
}
