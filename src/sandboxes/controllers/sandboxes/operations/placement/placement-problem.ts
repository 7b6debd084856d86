import { lostRuntime } from '../../runtimes/lost-runtime.ts'
import type { RuntimeClass } from '../../runtimes/runtime-entry.ts'
import type { ListedRuntime, RuntimeDirectory } from '../../runtimes/runtime-directory.ts'
import { OperationProblem } from '../operation-problem.ts'
import {
  type Candidates,
  type Chosen,
  classOn,
  isWall,
  pickRuntime,
  type Placement,
} from './pick-runtime.ts'
import { forbiddenMessage, imageMessage, isForbidden } from '../required-image.ts'

const WITHOUT_WISHES = { network: null, image: null, usesApi: false } as const

interface Origin {
  readonly directory: Pick<RuntimeDirectory, 'list' | 'get'>
  /** Whether the first start has chosen the class, not the spec. */
  readonly isRecorded: boolean
}

/** Why no runtime can start a sandbox, with the remedies. */
export function placementProblem(
  candidates: Candidates,
  { directory, isRecorded }: Origin,
): OperationProblem {
  const { runtimes, current, placement, wanted, consent, network, image } = candidates
  if (image !== null && isForbidden(image, runtimes)) {
    return unresolved('ImageForbidden', forbiddenMessage(image))
  }
  if (image !== null && pickRuntime({ ...candidates, image: null }) !== null) {
    return unresolved('ImageNotFound', imageMessage(image, runtimes))
  }
  const withoutApi = pickRuntime({ ...candidates, usesApi: false })
  if (withoutApi !== null) return unresolved('NoRuntime', apiMessage(runtimes, withoutApi))
  const enforcesLess = pickRuntime({ ...candidates, network: null, usesApi: false })
  if (enforcesLess !== null && network !== null) {
    return unresolved('NoRuntime', networkMessage(runtimes, enforcesLess, network))
  }
  const holders = runtimes.filter(({ name }) => current === null || name === current)
  const problem = classProblem({ runtimes: holders, wanted, consent, isRecorded })
  if (problem !== null && !isWall(wanted)) return unisolated(problem)
  return unresolved('NoRuntime', problem ?? noRuntimeMessage(directory, placement, current))
}

/** The server or the runtime starts no sandboxes without a wall. */
export function unisolated(message: string): OperationProblem {
  return unresolved('Unisolated', message)
}

function unresolved(reason: string, message: string): OperationProblem {
  return new OperationProblem(reason, { message, action: 'unresolved' })
}

type Wanted = Pick<Candidates, 'runtimes' | 'wanted' | 'consent'> & Pick<Origin, 'isRecorded'>

/** Why no live runtime offers the class, with the remedies; null if one does. */
function classProblem({ runtimes, wanted, consent, isRecorded }: Wanted): string | null {
  const live = runtimes.filter(({ isLive }) => isLive)
  if (
    live.length === 0 ||
    live.some((each) => classOn(each, { wanted, consent, ...WITHOUT_WISHES }) !== null)
  ) {
    return null
  }
  const isUnknown = live.every(({ classes }) => classes.every(({ name }) => name !== wanted))
  const known = live.flatMap(({ classes }) => classes).filter(({ name }) => name === wanted)
  const reasons = new Set(known.map(({ reason }) => reason).filter(Boolean))
  if (!isWall(wanted)) {
    const why = wanted === null ? live.map(({ startProblem }) => startProblem) : [...reasons]
    const walls = live.flatMap(({ classes }) => classes.filter(({ name }) => name !== 'process'))
    const offered = walls.find(({ reason }) => reason === '')
    const remedy = offered ? `, or set runtimeClassName to ${offered.name}` : ''
    const missing = offered ? '' : missingWalls(walls)
    return `${why.find((each) => each !== null) ?? consent ?? ''}${missing}${remedy}`
  }
  const names = live.flatMap(({ classes }) => classes.filter(({ reason }) => reason === ''))
  const offers = [...new Set(names.map(({ name }) => name))].join(', ')
  const cause = isUnknown ? 'no runtime knows it' : [...reasons].join('; ')
  const origin = isRecorded ? ', which the sandbox has had since its first start' : ''
  const ways = [
    ...(isUnknown ? [] : ['remove the cause and start the runtime again']),
    ...(offers === '' ? [] : ['set runtimeClassName to one that is offered']),
  ]
  const remedy = ways.length === 0 ? '' : `. Remedy: ${ways.join(', or ')}`
  return `No runtime offers the class "${wanted}"${origin}: ${cause}. Offered: ${offers || 'none'}${remedy}`
}

/** Why no runtime can start a sandbox with its network policy, by the one that would start it. */
function networkMessage(
  runtimes: readonly ListedRuntime[],
  { runtime, isolationClass }: Chosen,
  network: string,
): string {
  const classes = runtimes.find(({ name }) => name === runtime)?.classes ?? []
  const found = classes.find(({ name }) => name === isolationClass)
  const enforced = found?.networkPolicies.join(', ') || 'none'
  const problem = found?.networkProblem ? `: ${found.networkProblem}` : ''
  return (
    `No runtime enforces the network policy ${network} for the class "${isolationClass}"; ` +
    `${runtime} enforces: ${enforced}${problem}`
  )
}

/** Why no runtime gives a sandbox access to the API, by the one that would start it. */
function apiMessage(runtimes: readonly ListedRuntime[], { runtime, isolationClass }: Chosen) {
  const classes = runtimes.find(({ name }) => name === runtime)?.classes ?? []
  const problem = classes.find(({ name }) => name === isolationClass)?.networkProblem
  return (
    `No runtime gives the class "${isolationClass}" access to the API` +
    (problem ? `: ${problem}` : '')
  )
}

/** Why the runtimes have no wall; empty for those that know none. */
function missingWalls(walls: readonly RuntimeClass[]): string {
  const reasons = [...new Set(walls.map(({ name, reason }) => `${name}: ${reason}`))]
  return reasons.length === 0 ? '' : ` (${reasons.join('; ')})`
}

function noRuntimeMessage(
  directory: Pick<RuntimeDirectory, 'list' | 'get'>,
  { machine, driver, snapshotRuntime = null }: Placement,
  current: string | null,
) {
  const holder = current ?? (machine === null ? null : snapshotRuntime)
  const lost = holder === null ? null : lostRuntime(holder, directory.get(holder))
  const runtimes = directory.list()
  const live = runtimes.filter(({ isLive }) => isLive).length
  const refused = runtimes.find(({ refusal }) => refusal !== null)
  const rejects = refused ? `. ${lostRuntime(refused.name, refused)}` : ''
  const needs = [
    ...(machine === null ? [] : [`the machine "${machine}"`]),
    ...(driver === null ? [] : [`the driver "${driver}"`]),
  ]
  const wanted = needs.length === 0 ? '' : ` with ${needs.join(' and ')}`
  const free = `No runtime${wanted} has a free place; ${live} of ${runtimes.length} runtimes are live${lost === null ? rejects : ''}`
  const what = current === null ? 'the snapshot' : 'the files of the sandbox'
  return lost === null ? free : `${lost}, and it has ${what}. ${free}`
}
