import { objectPath, planePath } from '../kube/object-path.ts'
import { client } from '../session/connection.ts'
import { SANDBOXES } from './sandbox.ts'

/** A sandbox of a plane. */
export interface SandboxTarget {
  readonly plane: string
  readonly namespace: string
  readonly name: string
}

/** The path of a subresource of a sandbox, from the root of the server. */
export function sandboxPath({ plane, ...target }: SandboxTarget, subresource: string): string {
  return planePath(plane, objectPath(SANDBOXES, target, subresource))
}

/** Requests the suspension. The controller carries it out. */
export async function suspendSandbox(target: SandboxTarget, strategy: string): Promise<void> {
  await post(target, 'suspend', strategy === '' ? {} : { strategy: { type: strategy } })
}

/** Requests the start. A cold boot gives up the saved state if it cannot be restored. */
export async function resumeSandbox(target: SandboxTarget, coldBoot: boolean): Promise<void> {
  await post(target, 'resume', coldBoot ? { coldBoot } : {})
}

/** Takes a snapshot while the workload runs. */
export async function takeSnapshot(target: SandboxTarget, name: string): Promise<void> {
  await post(target, 'snapshots', name === '' ? {} : { name })
}

/** The result of each copy. */
export interface ForkedCopy {
  readonly name: string
  readonly uid?: string | undefined
  readonly error?: { readonly message?: string | undefined } | undefined
}

/** Creates sandboxes that begin with the state of this one. */
export async function forkSandbox(
  target: SandboxTarget,
  { count, namePrefix }: { readonly count: number; readonly namePrefix: string },
): Promise<readonly ForkedCopy[]> {
  const body = { count, ...(namePrefix !== '' && { namePrefix }) }
  return (await post<{ readonly items: readonly ForkedCopy[] }>(target, 'fork', body)).items
}

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the document names the type
async function post<T>(target: SandboxTarget, verb: string, body: unknown): Promise<T> {
  const path = sandboxPath(target, verb)
  const request = { method: 'POST', path, body, retry: 'rejected', timeout: 90_000 } as const
  return (await client.request<T>(request)).body
}
