import { randomUUID } from 'node:crypto'
import type { MessageInitShape } from '@bufbuild/protobuf'
import type {
  CheckpointResponse,
  VolumeSchema,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import { must } from '../../../src/lib/assert.ts'
import { poll } from './poll.ts'
import { type RuntimeSandbox, runtimeSandbox } from './runtime-sandbox.ts'
import type { TestSandboxd } from './start-sandboxd.ts'

/** A sandbox whose memory a test suspends and resumes. */
export interface MemorySandbox {
  readonly box: RuntimeSandbox
  run(command: readonly string[]): Promise<void>
  /** Captures files and memory. The instance stays frozen unless it is a live snapshot. */
  checkpoint(options?: { readonly leaveRunning?: boolean }): Promise<CheckpointResponse>
  terminate(): Promise<void>
  /**
   * Restores files and memory, and starts a new instance from them. A start that fails may be
   * repeated. Returns the boot.
   */
  resume(snapshot: CheckpointResponse, beforeStart?: () => Promise<void>): Promise<string>
  /** Checkpoint, terminate and resume. */
  cycle(): Promise<CheckpointResponse>
}

interface MemoryOptions {
  readonly driver?: string
  readonly isolationClass?: string
  /** The digest of the image of a start; empty for the programs of the machine. */
  readonly image?: () => string
  /** The token of its access to the API. */
  readonly token?: string
  /** The volumes of a start. */
  readonly volumes?: () => MessageInitShape<typeof VolumeSchema>[]
  /** Select a store. */
  readonly parameters?: Record<string, string>
  readonly secrets?: Record<string, string>
}

/** A sandbox without instances. */
export function memorySandbox(sandboxd: TestSandboxd, options: MemoryOptions = {}): MemorySandbox {
  const { driver = 'process-criu', isolationClass = '', volumes, parameters, secrets } = options
  const files = () => ({
    volumes: volumes?.() ?? [],
    image: options.image?.() ?? '',
    ...(options.token !== undefined && { apiAccess: { token: options.token } }),
  })
  const box = runtimeSandbox(() => sandboxd.connection)
  let instances = 0
  let workload: { command: string[]; isolationClass: string } = {
    command: ['true'],
    isolationClass,
  }
  const instanceId = (): string => `instance-${instances}`
  const call = () => ({
    sandbox: box.key,
    sandboxName: box.key.name,
    sandboxNamespace: box.key.namespace,
    operationId: randomUUID(),
    fence: 1n,
    driver,
    ...(parameters && { parameters }),
    ...(secrets && { secrets }),
  })
  const sandbox: MemorySandbox = {
    box,
    run: async (command) => {
      instances += 1
      workload = { command: [...command], isolationClass }
      await box.start(instanceId(), '', { workload: { ...workload, ...files() } })
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
    resume: async ({ snapshotUid, digest }, beforeStart) => {
      const { restoreMetadata } = await sandboxd.connection.driver.restore({
        ...call(),
        snapshotUid,
        digest,
        image: files().image,
        instanceId: `instance-${instances + 1}`,
      })
      await beforeStart?.()
      instances += 1
      await box.start(instanceId(), '', {
        restoreMetadata,
        workload: { ...workload, ...files() },
      })
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
  const what = 'the expected value'
  const found = await poll(
    what,
    () => read().catch(() => null),
    (value) => value !== null,
  )
  return must(found, what)
}
