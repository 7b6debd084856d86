import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CheckpointResponse } from '../../../src/drivers/proto/snapshot_driver_pb.ts'
import { type RuntimeSandbox, runtimeSandbox } from '../support/runtime-sandbox.ts'
import type { TestSandboxd } from '../support/start-sandboxd.ts'

const DRIVER = 'process-criu'
const TIMEOUT_MS = 20_000
const POLL_MS = 20

/** A sandbox whose memory a test suspends and resumes. */
export interface MemorySandbox {
  readonly box: RuntimeSandbox
  run(command: readonly string[]): Promise<void>
  /** Captures files and memory. The instance stays frozen unless it is a live snapshot. */
  checkpoint(options?: { readonly leaveRunning?: boolean }): Promise<CheckpointResponse>
  terminate(): Promise<void>
  /** Restores files and memory, and starts a new instance from them. Returns the boot. */
  resume(snapshot: CheckpointResponse): Promise<string>
  /** Checkpoint, terminate and resume. */
  cycle(): Promise<CheckpointResponse>
}

/** A sandbox without instances. `parameters` select the store. */
export function memorySandbox(sandboxd: TestSandboxd): MemorySandbox {
  const box = runtimeSandbox(() => sandboxd.connection)
  let instances = 0
  const instanceId = (): string => `instance-${instances}`
  const call = () => ({
    sandbox: box.key,
    sandboxName: box.key.name,
    sandboxNamespace: box.key.namespace,
    operationId: randomUUID(),
    fence: 1n,
    driver: DRIVER,
  })
  const sandbox: MemorySandbox = {
    box,
    run: async (command) => {
      instances += 1
      await box.start(instanceId(), '', { workload: { command: [...command] } })
    },
    checkpoint: ({ leaveRunning = false } = {}) =>
      sandboxd.connection.driver.checkpoint({
        ...call(),
        podName: instanceId(),
        snapshotUid: randomUUID(),
        leaveRunning,
      }),
    terminate: async () => {
      await sandboxd.connection.runtime.terminate({ ...call(), instanceId: instanceId() })
    },
    resume: async ({ snapshotUid, digest }) => {
      const { restoreMetadata } = await sandboxd.connection.driver.restore({
        ...call(),
        snapshotUid,
        digest,
        instanceId: `instance-${instances + 1}`,
      })
      instances += 1
      await box.start(instanceId(), '', { restoreMetadata })
      return restoreMetadata['flotilla.dev/boot'] ?? ''
    },
    cycle: async () => {
      const snapshot = await sandbox.checkpoint()
      await sandbox.terminate()
      await sandbox.resume(snapshot)
      return snapshot
    },
  }
  return sandbox
}

/** Polls until a function returns a value other than null. */
export async function eventually<T>(read: () => Promise<T | null>): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const value = await read().catch(() => null)
    if (value !== null) return value
    if (Date.now() > deadline) throw new Error('the expected value did not appear')
    await sleep(POLL_MS)
  }
}
