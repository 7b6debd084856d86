import type { JsonObject } from 'flotilla'

/** The last recorded state of a sandbox's instance. */
export type InstancePhase = 'Absent' | 'Running' | 'Frozen' | 'Exited'

/** How a sandbox was suspended. */
export type SuspensionType = 'Stop' | 'Freeze' | 'Hibernate'

/** How the running instance was started. */
export type Boot = 'CLEAN' | 'RESUME' | 'RESUME_FS' | 'FORK'

/** Names a sandbox. The uid alone is unique; the rest finds the object. */
export interface SandboxRef {
  readonly plane: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** The part of a sandbox's row that operations change. */
export interface SandboxProgress {
  readonly phase: InstancePhase
  /** The SandboxRuntime of the instance, or the one that holds the files of an absent sandbox. */
  readonly runtime: string | null
  readonly instanceId: string | null
  /** Null if the sandbox is not suspended. `Stop` marks that no older snapshot may be restored. */
  readonly suspendedBy: SuspensionType | null
  /** The snapshot of the current suspension. */
  readonly snapshot: { readonly name: string; readonly uid: string } | null
  readonly workloadDigest: string | null
  readonly boot: Boot | null
  /** The isolation class, which the first start decides. */
  readonly isolationClass: string | null
  /** Facts for the status, such as the exit code, the number of restarts, and the last failure. */
  readonly details: JsonObject
}

/** The row of a sandbox: what the object cannot hold, because clients could change it. */
export interface SandboxState extends SandboxRef, SandboxProgress {
  /** Rises with each owner of an operation. Runtimes reject calls with a lower number. */
  readonly fence: bigint
  /** Row version, for optimistic updates between operations. */
  readonly version: number
  readonly lastActivityTime: Date | null
  readonly createdTime: Date
}
