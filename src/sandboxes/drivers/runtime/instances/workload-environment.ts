import type {
  SandboxKey,
  StartRequest,
  Workload,
} from '../../generated/proto/snapshot_driver_pb.ts'
import { ENV_METADATA_PREFIX } from '../hosted-drivers.ts'
import { INIT_VARIABLE } from './init-state.ts'
import type { SandboxView } from '../walls/wall.ts'

/** The PATH of programs that set none. */
export const WORKLOAD_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The start of a program, and the file system that it sees. */
interface EnvironmentPlace {
  readonly sandbox: SandboxKey
  readonly request: StartRequest
  readonly view: SandboxView
}

/** The environment of a workload. Variables of this process never reach it. */
export function workloadEnvironment(
  { sandbox, request, view }: EnvironmentPlace,
  workload: Pick<Workload, 'env' | 'volumes'>,
): ReadonlyMap<string, string> {
  const environment = new Map([
    ['PATH', WORKLOAD_PATH],
    ['HOME', view.workspace],
    ['LANG', 'C.UTF-8'],
  ])
  for (const { name, value } of workload.env) environment.set(name, value)
  environment.set('SANDBOX_NAME', sandbox.name)
  environment.set('SANDBOX_NAMESPACE', sandbox.namespace)
  environment.set('SANDBOX_UID', sandbox.uid)
  environment.set('SANDBOX_INSTANCE_ID', request.instanceId)
  environment.set('SANDBOX_WORKSPACE', view.workspace)
  for (const volume of workload.volumes) {
    environment.set(`SANDBOX_VOLUME_${variableOf(volume.name)}`, view.volume(volume))
  }
  for (const [name, value] of Object.entries(request.restoreMetadata)) {
    if (!name.startsWith(ENV_METADATA_PREFIX)) continue
    environment.set(name.slice(ENV_METADATA_PREFIX.length), value)
  }
  return environment
}

function variableOf(name: string): string {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')
}

/**
 * Shell statements that export the environment of the workload, or of the init container whose index
 * is in the variable.
 */
export function exportStatements(
  environment: ReadonlyMap<string, string>,
  initEnvironments: readonly ReadonlyMap<string, string>[],
): string {
  if (initEnvironments.length === 0) return exports(environment)
  const cases = initEnvironments.map(
    (each, index) => `${index}) unset ${INIT_VARIABLE}\n${exports(each)};;\n`,
  )
  return `case "\${${INIT_VARIABLE}-}" in\n${cases.join('')}*)\n${exports(environment)};;\nesac\n`
}

function exports(environment: ReadonlyMap<string, string>): string {
  return [...environment].map(([name, value]) => `export ${name}=${quote(value)}\n`).join('')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
