import type { SandboxKey } from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'

/** A sandbox that a check captures and restores. */
export interface TestSandbox extends AsyncDisposable {
  readonly key: SandboxKey
  /** The current instance. */
  readonly instanceId: string
  /** Parameters of Checkpoint and Restore that describe the sandbox to the driver. */
  readonly parameters: Readonly<Record<string, string>>
  /** Starts an instance, with the answer of Restore if there is one. */
  start(restoreMetadata?: Readonly<Record<string, string>>): Promise<void>
  /** Ends the instance and removes its files, as the end of a suspend does. */
  end(): Promise<void>
  /** Freezes the instance if the driver does not do it. */
  beforeCheckpoint(): Promise<void>
  write(name: string, content: string): Promise<void>
  /** The content of a file; null if it does not exist. */
  read(name: string): Promise<string | null>
}
