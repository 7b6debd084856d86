import type { Clock } from 'flotilla'
import type { EncryptionKey } from 'flotilla/programs'
import type { ArchiveLimits } from '../archives/archive-limits.ts'
import type { ArchiveTools } from '../archives/archive-tools.ts'
import type { MemoryCapture } from './memory-capture.ts'

/** Parts of the machine that the drivers `process` and `process-criu` need. */
export interface ProcessDriverOptions {
  /** Name of this machine. Snapshots in local directories can be restored only there. */
  readonly machine: string
  readonly architecture: string
  /** Version in the driver's info. */
  readonly version: string
  /** Whether instances of this runtime can be frozen. */
  readonly freezes: boolean
  /** The directories that local stores may use (store-roots of SANDBOXD). */
  readonly storeRoots: readonly string[]
  /** The first key encrypts; all decrypt. Empty if archives are not encrypted. */
  readonly encryptionKeys: readonly EncryptionKey[]
  readonly tools: ArchiveTools
  readonly limits: ArchiveLimits
  readonly clock: Clock
  /** Captures memory in addition to files; null for the driver `process`. */
  readonly memory: MemoryCapture | null
}
