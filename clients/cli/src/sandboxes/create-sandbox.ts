import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { type SandboxPlace, sandboxNamed, sandboxPath } from './sandbox-path.ts'
import { waitForCondition } from './wait-for-condition.ts'

/** The options of `flotilla sandbox create`. */
export interface CreateSandboxOptions extends SandboxPlace {
  readonly restart: 'Always' | 'OnFailure' | 'Never'
  readonly env: readonly string[]
  readonly strategy: 'Stop' | 'Freeze' | 'Hibernate'
  /** The name of a SnapshotProvider. It requires the strategy Hibernate. */
  readonly provider?: string
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
}

/** Creates a sandbox that runs a program. */
export async function createSandbox(
  session: Session,
  { name, command }: { readonly name: string; readonly command: readonly string[] },
  options: CreateSandboxOptions,
): Promise<void> {
  const { client, signal, out } = session
  const sandbox = sandboxNamed(name, options)
  const env = options.env.map(variable)
  const container = { name: 'main', command, ...(env.length > 0 && { env }) }
  const body = {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name: sandbox.name },
    spec: {
      podTemplate: { spec: { restartPolicy: options.restart, containers: [container] } },
      ...suspension(options),
    },
  }
  const path = sandboxPath(sandbox)
  await client.request({ method: 'POST', path, body, signal, retry: 'rejected' })
  if (options.wait) {
    await waitForCondition(session, sandbox, { type: 'Ready', timeoutMs: options.timeout })
  }
  out.write(`sandbox/${sandbox.name} ${options.wait ? 'runs' : 'created'}\n`)
}

/** `Stop` is the strategy of sandboxes without one. */
function suspension({ strategy, provider }: CreateSandboxOptions) {
  if (provider !== undefined && strategy !== 'Hibernate') {
    throw new CliError(`--provider has no effect with the strategy ${strategy}`, {
      exit: 'usage',
      hint: 'Add --strategy Hibernate.',
    })
  }
  if (strategy === 'Stop') return {}
  const hibernate = provider === undefined ? {} : { snapshotProviderRef: { name: provider } }
  return {
    suspensionStrategy: { type: strategy, ...(strategy === 'Hibernate' && { hibernate }) },
  }
}

function variable(text: string) {
  const at = text.indexOf('=')
  if (at > 0) return { name: text.slice(0, at), value: text.slice(at + 1) }
  throw new CliError(`'${text}' has no value`, { exit: 'usage', hint: 'Write --env NAME=VALUE.' })
}
