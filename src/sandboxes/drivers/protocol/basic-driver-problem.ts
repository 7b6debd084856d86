import { randomUUID } from 'node:crypto'
import type { RuntimeConnection } from './connect-runtime.ts'
import { SandboxDriverError } from './sandbox-driver-error.ts'

const TIMEOUT_MS = 2000

/**
 * Why a server without GetInfo is no driver; empty if it is one. A server of something else answers
 * UNIMPLEMENTED to every call. The deletion of a snapshot that cannot exist has no effect.
 */
export async function basicDriverProblem(
  { driver }: Pick<RuntimeConnection, 'driver'>,
  name: string,
): Promise<string> {
  const snapshotUid = `probe-${randomUUID()}`
  try {
    await driver.delete({ snapshotUid, driver: name }, { timeoutMs: TIMEOUT_MS })
  } catch (error) {
    if (!(error instanceof SandboxDriverError)) throw error
    if (error.code === 'UNIMPLEMENTED') return 'its endpoint implements no call of SnapshotDriver'
    if (error.code === 'UNAVAILABLE' || error.code === 'DEADLINE_EXCEEDED') return error.message
  }
  return ''
}
