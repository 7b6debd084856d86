import type { Controller } from './cgroup-root.ts'
import type { Machine } from './machine.ts'

/** How a machine enforces a limit of a workload. */
export interface LimitScope {
  /** The name of the resource in `resources.limits`, or `processes`, or `files`. */
  readonly name: string
  /** `sandbox`: for all processes of the sandbox together. `process`: for each process. */
  readonly scope: 'sandbox' | 'process' | 'none'
  /** Why it is not `sandbox`. */
  readonly reason: string
}

/** How the machine enforces the limits of workloads. */
export function limitScopes(machine: Machine): readonly LimitScope[] {
  const { programs, isolatesUsers } = machine
  const hasLimits = programs.prlimit !== undefined
  return [
    grouped(machine, { name: 'cpu', controller: 'cpu', otherwise: 'none' }),
    withMemoryFiles(
      machine,
      grouped(machine, {
        name: 'memory',
        controller: 'memory',
        otherwise: hasLimits ? 'process' : 'none',
      }),
    ),
    // The kernel counts the processes of a user, so this limit needs a separate user.
    grouped(machine, {
      name: 'processes',
      controller: 'pids',
      otherwise: hasLimits && isolatesUsers ? 'sandbox' : 'none',
    }),
    hasLimits
      ? { name: 'files', scope: 'process', reason: 'the kernel limits open files by process' }
      : { name: 'files', scope: 'none', reason: 'the machine has no prlimit (util-linux)' },
    // The runtime measures files itself.
    { name: 'ephemeral-storage', scope: 'sandbox', reason: '' },
  ]
}

/** Without a cgroup, files in memory have separate limits, or none. */
function withMemoryFiles(
  { programs, sizesMemoryFiles }: Machine,
  { reason, ...limit }: LimitScope,
): LimitScope {
  if (reason === '' || programs.bwrap === undefined) return { ...limit, reason }
  const files = sizesMemoryFiles
    ? '/tmp, /var/tmp, /run and /dev/shm have the same limit each'
    : 'files in /tmp are not limited: install bubblewrap 0.7 or newer'
  return { ...limit, reason: `${reason}; ${files}` }
}

interface Grouped {
  readonly name: string
  readonly controller: Controller
  /** The scope without the controller. */
  readonly otherwise: LimitScope['scope']
}

function grouped({ cgroups }: Machine, { name, controller, otherwise }: Grouped): LimitScope {
  const isEnforced = cgroups?.controllers.includes(controller) === true || otherwise === 'sandbox'
  if (isEnforced) return { name, scope: 'sandbox', reason: '' }
  const reason =
    cgroups === null
      ? 'the runtime may not create cgroups: run it as root, or delegate a cgroup v2 to its user'
      : `the cgroup of the runtime has no ${controller} controller`
  return { name, scope: otherwise, reason }
}
