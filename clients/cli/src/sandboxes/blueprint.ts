import { CliError } from '../errors/cli-error.ts'

/** The options of the program that sandboxes run. */
export interface WorkloadOptions {
  readonly restart: 'Always' | 'OnFailure' | 'Never'
  readonly env: readonly string[]
  readonly volume: readonly string[]
  readonly memory?: string | undefined
  readonly class?: string | undefined
  readonly image?: string | undefined
}

/** The fields of a spec that sandboxes and their templates share. */
export function blueprint(command: readonly string[], options: WorkloadOptions) {
  const { memory, restart, image, class: runtimeClassName } = options
  if (command.length === 0 && image === undefined) {
    throw new CliError('a program is missing', {
      exit: 'usage',
      hint: 'Write it after --, or name an image that has one: --image NAME.',
    })
  }
  const env = options.env.map(variable)
  const volumes = options.volume.map(volume)
  const volumeMounts = volumes.filter(({ mountPath }) => mountPath !== undefined)
  const container = {
    name: 'main',
    // Without a command, the image has the program.
    ...(command.length > 0 && { command }),
    ...(image !== undefined && { image, imagePullPolicy: 'Never' }),
    ...(env.length > 0 && { env }),
    ...(volumeMounts.length > 0 && { volumeMounts }),
    ...(memory !== undefined && { resources: { limits: { memory } } }),
  }
  const volumeClaimTemplates = volumes.map(({ name }) => ({ metadata: { name }, spec: {} }))
  return {
    podTemplate: { spec: { restartPolicy: restart, runtimeClassName, containers: [container] } },
    ...(volumes.length > 0 && { volumeClaimTemplates }),
  }
}

/** `NAME=VALUE` */
export function variable(text: string) {
  const at = text.indexOf('=')
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) }
  throw new CliError(`'${text}' has no value`, { exit: 'usage', hint: 'Write --env NAME=VALUE.' })
}

/** `NAME`, or `NAME:PATH` */
function volume(text: string) {
  const at = text.indexOf(':')
  return at < 0 ? { name: text } : { name: text.slice(0, at), mountPath: text.slice(at + 1) }
}
