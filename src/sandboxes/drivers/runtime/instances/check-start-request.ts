import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import type { Probe, StartRequest, Workload } from '../../generated/proto/snapshot_driver_pb.ts'

/** Names become directories and cgroups. `ephemeral` is a directory beside those of instances. */
const SAFE_NAME = /^(?!ephemeral$)[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/
const MAX_FILE_NAME = 255
/** A DNS label, as in Kubernetes. It is part of a file that the runtime reads. */
const INIT_NAME = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const MAX_PORT = 65_535
/** Shells can only export such names. */
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** Checks a name that becomes a file name. */
export function checkName(what: string, name: string | undefined): string {
  if (name !== undefined && SAFE_NAME.test(name)) return name
  throw new SandboxDriverError(
    'INVALID_ARGUMENT',
    `${what} '${name ?? ''}' must have 1 to 100 letters, digits, '.', '_' or '-', and begin with a letter or digit`,
  )
}

/** Checks a request to start an instance, and returns its workload. */
export function checkStartRequest(request: StartRequest): Workload {
  checkName('instance_id', request.instanceId)
  const { workload } = request
  if (workload === undefined) throw invalid('workload is missing')
  if (workload.image === '') requireCommand(workload)
  for (const { name, content } of workload.volumes) {
    checkName('volume', name)
    checkFilePaths(name, content?.files.map((file) => file.path) ?? [])
  }
  for (const { name, command, env, volumes } of workload.initContainers) {
    if (!INIT_NAME.test(name)) throw invalid(`'${name}' is no name of an init container`)
    if (command.length === 0) throw invalid(`the command of init container ${name} is empty`)
    for (const volume of volumes) checkName('volume', volume.name)
    for (const variable of env) checkVariable(variable.name, variable.value)
  }
  for (const { name, value } of workload.env) checkVariable(name, value)
  for (const text of [workload, ...workload.initContainers].flatMap(textsOf)) {
    if (text.includes('\0')) throw invalid('command, args and working_dir may not contain NUL')
  }
  const { startup, readiness, liveness } = workload.probes ?? {}
  for (const probe of [startup, readiness, liveness]) if (probe) checkProbe(probe)
  return workload
}

/** Throws if there is no program. */
export function requireCommand({ command, args, image }: Workload): void {
  if (command.length + args.length > 0) return
  const why = image === '' ? 'without an image' : 'because the image has none'
  throw invalid(`command and args are empty: ${why}, the workload needs a command`)
}

function checkProbe({ check }: Probe): void {
  if (check.case === undefined) throw invalid('a probe has no check')
  if (check.case === 'exec') {
    if (check.value.command.length === 0) throw invalid('the command of a probe is empty')
    return
  }
  const { port } = check.value
  if (port < 1 || port > MAX_PORT) throw invalid(`a probe has the port ${port}`)
}

function textsOf({ command, args, workingDir }: Pick<Workload, 'args' | 'command' | 'workingDir'>) {
  return [...command, ...args, workingDir]
}

/** Files must be inside their volume, and none is a directory of another. */
function checkFilePaths(volume: string, files: readonly string[]): void {
  for (const file of files) {
    if (!file.includes('\0') && file.split('/').every(isFileName)) continue
    throw invalid(
      `file '${file}' of volume ${volume} must be a relative path without '..', and its names have at most ${MAX_FILE_NAME} bytes`,
    )
  }
  const directory = files.find((file) => files.some((other) => other.startsWith(`${file}/`)))
  if (directory === undefined) return
  throw invalid(`'${directory}' of volume ${volume} cannot be a file and a directory`)
}

function isFileName(name: string): boolean {
  return !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= MAX_FILE_NAME
}

/** Checks an environment variable. */
export function checkVariable(name: string, value: string): void {
  if (!ENV_NAME.test(name)) {
    throw invalid(`environment variable '${name}' must have letters, digits and '_' only`)
  }
  if (value.includes('\0')) throw invalid(`environment variable ${name} may not contain NUL`)
}

function invalid(message: string): SandboxDriverError {
  return new SandboxDriverError('INVALID_ARGUMENT', message)
}
