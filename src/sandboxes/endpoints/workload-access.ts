import type { SandboxRef, SandboxState } from '../storage/sandbox-state.ts'

/** The current run of a workload. */
export interface WorkloadInstance extends SandboxRef {
  readonly runtime: string
  readonly instanceId: string
}

/** A program that runs beside the workload. */
export interface Command {
  readonly command: readonly string[]
  readonly stdin: string
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly workingDir: string
  /** 0 for no limit. */
  readonly timeoutSeconds: number
}

/** Output of a program, or its end. */
export type CommandOutput =
  | { readonly stream: 'stdout' | 'stderr'; readonly data: Uint8Array }
  | { readonly exitCode: number }

/** The part of a workload's output that a client wants. */
export interface LogSelection {
  readonly follow: boolean
  readonly previous: boolean
  /** Null for all lines. */
  readonly tailLines: number | null
  readonly since: Date | null
}

/**
 * The rows and runtimes of sandboxes. Failures of a runtime are FlotillaErrors: `unavailable` if it
 * cannot be reached, `state-conflict` if it does not know the instance.
 */
export interface WorkloadAccess {
  readonly readState: (uid: string) => Promise<SandboxState | null>
  /** Returns whether the sandbox has a row. */
  readonly recordActivity: (uid: string, time: Date) => Promise<boolean>
  readonly exec: (
    instance: WorkloadInstance,
    command: Command,
    signal: AbortSignal,
  ) => AsyncIterable<CommandOutput>
  readonly logs: (
    instance: WorkloadInstance,
    selection: LogSelection,
    signal: AbortSignal,
  ) => AsyncIterable<Uint8Array>
}
