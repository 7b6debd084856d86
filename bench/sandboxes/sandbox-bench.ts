import type { SandboxApi } from './sandbox-api.ts'

/** The server of the scenario `sandboxes`, its runtime, and its figures. */
export interface SandboxBench {
  readonly api: SandboxApi
  readonly isQuick: boolean
  /** Temporary directory on the file system of the sandboxes. */
  readonly directory: string
  fact(name: string, value: number, unit: string): void
  omit(what: string, reason: string): void
}
