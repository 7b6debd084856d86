import { errorMessage } from 'flotilla'
import { SandboxDriverError } from '../../../protocol/sandbox-driver-error.ts'
import type { Workload } from '../../../generated/proto/snapshot_driver_pb.ts'
import type { NetworkPolicy } from '../../network/network-policy.ts'
import { readPolicy } from '../../network/read-policy.ts'
import type {
  NetworkMode,
  NetworkRequest,
  SandboxNetworks,
} from '../../network/sandbox-networks.ts'
import type { InstanceRecord } from '../../records/sandbox-record.ts'
import type { Wall } from '../../walls/wall.ts'
import type { HostState } from '../host-state.ts'

/** Every wall that separates the network can give a sandbox none. */
const WITHOUT_NETWORKS: readonly NetworkMode[] = ['None']

/** The policies that a class enforces. None if sandboxes have the network of the machine. */
export function modesOf(
  { joinsNetworks, separates }: Pick<Wall, 'joinsNetworks' | 'separates'>,
  { modes }: Pick<SandboxNetworks, 'modes'>,
): readonly NetworkMode[] {
  if (!separates.includes('network')) return []
  return joinsNetworks !== 'none' && modes.length > 0 ? modes : WITHOUT_NETWORKS
}

/** Why a class lacks a policy, with the remedy; empty if it lacks none. */
export function networkProblemOf(
  wall: Pick<Wall, 'joinsNetworks' | 'networkProblem' | 'separates'>,
  { problem }: Pick<SandboxNetworks, 'problem'>,
): string {
  if (!wall.separates.includes('network')) return 'it has the network of the machine'
  if (wall.joinsNetworks !== 'none') return problem
  return wall.networkProblem || 'it gives sandboxes no network'
}

/**
 * The policy of a workload, by default `Internet` if it is offered, and `None` in a class whose
 * sandboxes ask for networks. Null if the class shares the network of the machine. Throws if the
 * runtime cannot enforce the policy.
 */
export function policyOf(
  { networks }: HostState,
  wall: Wall,
  { networkPolicy }: Workload,
): NetworkPolicy | null {
  const modes = modesOf(wall, networks)
  if (networkPolicy === undefined) {
    if (modes.length === 0) return null
    const isDefault = wall.joinsNetworks === 'all' && modes.includes('Internet')
    return { mode: isDefault ? 'Internet' : 'None' }
  }
  const policy = readPolicy(networkPolicy)
  if (modes.includes(policy.mode)) return policy
  const reason = networkProblemOf(wall, networks)
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    `the class ${wall.name} does not offer the network policy ${policy.mode}: ${reason}`,
  )
}

interface Wanted {
  readonly workload: Pick<Workload, 'apiAccess'>
  readonly plane: string
}

/** The plane whose API the workload may use. Throws if the class has no access to the API. */
export function apiAccessOf(
  state: Pick<HostState, 'api'>,
  wall: Wall,
  { workload, plane }: Wanted,
): Pick<NetworkRequest, 'apiPlane'> {
  if (workload.apiAccess === undefined) return {}
  if (offersApi(state, wall)) return { apiPlane: plane }
  const reason =
    wall.joinsNetworks === 'none' ? 'it has no network of the runtime' : state.api.problem
  throw new SandboxDriverError(
    'FAILED_PRECONDITION',
    `the class ${wall.name} does not offer access to the API: ${reason}`,
  )
}

/** Whether sandboxes of a class can have access to the API. */
export function offersApi({ api }: Pick<HostState, 'api'>, { joinsNetworks }: Wall): boolean {
  return joinsNetworks !== 'none' && api.problem === ''
}

interface Reservation extends Omit<NetworkRequest, 'policy'> {
  readonly wall: Wall
  /** Null if the instance shares the network of the machine. */
  readonly policy: NetworkPolicy | null
}

/** Reserves the network of an instance. Nothing to reserve if the wall separates it by itself. */
export function reserveNetwork(
  { networks }: HostState,
  { wall, policy, ...request }: Reservation,
): Pick<InstanceRecord, 'network'> {
  if (policy === null || wall.joinsNetworks === 'none' || networks.modes.length === 0) return {}
  const asks = policy.mode !== 'None' || request.apiPlane !== undefined
  if (wall.joinsNetworks === 'asking' && !asks) return {}
  return { network: networks.reserve({ ...request, policy }) }
}

/** Removes the network of an instance that has ended. */
export async function releaseNetwork(
  { networks }: HostState,
  { network }: Pick<InstanceRecord, 'network'>,
): Promise<void> {
  if (network !== undefined) await networks.release(network.address)
}

/** The prefix of a command in the network of an instance; null without a network of the runtime. */
export function networkEntry(
  { networks }: HostState,
  { network, id }: InstanceRecord,
  pid: number,
): readonly string[] | null {
  if (network === undefined) return null
  try {
    return networks.enter(pid)
  } catch (error) {
    const message = `the network of instance ${id} was lost: ${errorMessage(error)}`
    throw new SandboxDriverError('FAILED_PRECONDITION', message, { cause: error })
  }
}
