import type { Session } from '../session/session.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'
import { type SandboxPlace, observedSandbox, sandboxNamed, sandboxPath } from './sandbox-path.ts'
import { waitForCondition } from './wait-for-condition.ts'

/** The options of `flotilla sandbox suspend` and `resume`. */
export interface ModeOptions extends SandboxPlace, WaitOptions {
  readonly strategy?: string | undefined
  readonly coldBoot?: boolean | undefined
}

const CONDITIONS = { suspend: 'Suspended', resume: 'Ready' } as const

/** Suspends or resumes sandboxes, and waits for it. */
export async function changeMode(
  session: Session,
  { verb, names }: { readonly verb: 'suspend' | 'resume'; readonly names: readonly string[] },
  options: ModeOptions,
): Promise<void> {
  const { strategy, coldBoot, wait, timeout } = options
  const sandboxes = names.map((name) => sandboxNamed(name, options))
  const body = verb === 'suspend' ? { strategy: strategy && { type: strategy } } : { coldBoot }
  for (const sandbox of sandboxes) {
    const path = sandboxPath(sandbox, sandbox.name, verb)
    const { client, signal } = session
    await client.request({ method: 'POST', path, body, signal, retry: 'always' })
  }
  for (const sandbox of sandboxes) {
    if (wait) {
      await waitForCondition(session, observedSandbox(sandbox), {
        type: CONDITIONS[verb],
        timeoutMs: timeout,
      })
    }
    const past = verb === 'suspend' ? 'suspended' : 'resumed'
    session.out.write(`sandbox/${sandbox.name} ${wait ? past : `${verb} requested`}\n`)
  }
}
