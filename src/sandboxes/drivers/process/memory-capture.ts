import type { BootRequest, HostedInstance, HostedSandbox } from '../runtime/hosted-drivers.ts'
import type { WallName } from '../runtime/walls/wall.ts'

/** Captures the memory of instances in addition to their files. */
export interface MemoryCapture {
  /** Name of the driver that captures both. */
  readonly driver: string
  /** Why memory cannot be captured on this machine; empty if it can. */
  readonly unavailable: string
  /** The isolation class of the sandboxes whose memory it captures and restores. */
  readonly isolationClass: WallName
  /**
   * The facts on which memory depends. They are recorded with a snapshot. `rootImage` is the digest
   * of the sandbox's root file system; empty for the programs of the machine.
   */
  compatibility(rootImage: string): Readonly<Record<string, string>>
  /** Whether it captures the memory of instances with a network of the runtime. */
  readonly capturesNetworks: boolean
  /** Whether the instance has processes. An exited instance has only files. */
  hasProcesses(instance: HostedInstance): Promise<boolean>
  /** Waits until a new instance runs as the sandbox's user: its first steps cannot be captured. */
  awaitStart(instance: HostedInstance, signal: AbortSignal): Promise<void>
  /** Writes the memory of a frozen instance into an empty directory that only root can enter. */
  dump(instance: HostedInstance, images: string): Promise<void>
  /**
   * Why memory with these recorded facts cannot be restored on this machine in the root file system;
   * null if it can.
   */
  incompatibility(recorded: Readonly<Record<string, string>>, rootImage: string): string | null
  /** Checks images before they are used. Fails with FAILED_PRECONDITION. */
  check(sandbox: HostedSandbox, images: string): Promise<void>
  /** The command that restores the images and waits for their processes. */
  boot(request: BootRequest, images: string): Promise<readonly string[]>
}
