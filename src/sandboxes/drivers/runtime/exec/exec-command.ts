import type { ExecRequest } from '../../generated/proto/snapshot_driver_pb.ts'
import {
  dropPrivileges,
  becomeUser,
  type Isolation,
  joinCgroups,
  resourceLimits,
  withEnvironment,
} from '../instances/shim-command.ts'
import { type StartPrograms, SYSTEM_PROGRAMS } from '../walls/view/start-programs.ts'

/** Sets the additional variables, which come before the command. */
const ADD_VARIABLES = 'while [ "$1" != -- ]; do export "$1"; shift; done; shift; exec "$@"'

interface Target {
  /** The first process of the instance. */
  readonly pid: number
  readonly joinFiles: readonly string[]
  readonly environmentFile: string
  readonly workingDirectory: string
}

/** A command beside the workload: same namespace, cgroup, limits, user and environment. */
export function execCommand(
  request: ExecRequest,
  target: Target,
  isolation: Isolation,
): readonly string[] {
  const { programs, isRoot } = isolation
  const namespace =
    isRoot && programs.nsenter && programs.unshare
      ? [programs.nsenter, `--target=${target.pid}`, '--pid', '--']
      : []
  const confined = { ...isolation, restoresMemory: false }
  const inside = { ...target, startPrograms: SYSTEM_PROGRAMS }
  return [
    ...joinCgroups(target),
    ...namespace,
    ...resourceLimits(confined),
    ...becomeUser(confined),
    ...dropPrivileges(confined),
    ...withEnvironment(inside, addVariables(request, SYSTEM_PROGRAMS)),
  ]
}

/** The command of a request, after its variables have been set. */
export function addVariables(
  { env, command }: Pick<ExecRequest, 'command' | 'env'>,
  { sh }: Pick<StartPrograms, 'sh'>,
): readonly string[] {
  const variables = env.map(({ name, value }) => `${name}=${value}`)
  return [...sh, '-c', ADD_VARIABLES, 'exec', ...variables, '--', ...command]
}
