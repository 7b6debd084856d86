import type { SandboxApi } from './sandbox-api.ts'

/** The server of the scenario `sandboxes`, its runtime, and its figures. */
export interface SandboxBench {
  readonly api: SandboxApi
  /** The same server for another caller. */
  readonly otherCaller: SandboxApi
  readonly isQuick: boolean
  /** How many sandboxes are suspended at the same time; null for the default. */
  readonly crowd: number | null
  /** Temporary directory on the file system of the sandboxes. */
  readonly directory: string
  fact(name: string, value: number, unit: string): void
  omit(what: string, reason: string): void
}
