import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { blueprint, type WorkloadOptions } from './blueprint.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { type SandboxPlace, observedSandbox, sandboxNamed, sandboxPath } from './sandbox-path.ts'
import { waitForCondition } from './wait-for-condition.ts'

/** The options of `flotilla sandbox create`. */
export interface CreateSandboxOptions extends SandboxPlace, WaitOptions, WorkloadOptions {
  /** Milliseconds. */
  readonly idle?: number | undefined
  readonly strategy: 'Stop' | 'Freeze' | 'Hibernate'
  /** The name of a SnapshotProvider. It requires the strategy Hibernate. */
  readonly provider?: string
}

/** Creates a sandbox that runs a program. */
export async function createSandbox(
  session: Session,
  { name, command }: { readonly name: string; readonly command: readonly string[] },
  options: CreateSandboxOptions,
): Promise<void> {
  const { client, signal, out } = session
  const sandbox = sandboxNamed(name, options)
  const { idle, wait, timeout } = options
  const body = {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name: sandbox.name },
    spec: {
      ...blueprint(command, options),
      ...suspension(options),
      ...(idle !== undefined && { autoSuspend: { idleSeconds: Math.ceil(idle / 1000) } }),
    },
  }
  const path = sandboxPath(sandbox)
  await client.request({ method: 'POST', path, body, signal, retry: 'rejected' })
  const created = observedSandbox(sandbox)
  if (wait) await waitForCondition(session, created, { type: 'Ready', timeoutMs: timeout })
  out.write(`${created.label} ${wait ? 'runs' : 'created'}\n`)
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
