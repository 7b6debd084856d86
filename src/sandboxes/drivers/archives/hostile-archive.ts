import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/** The failure of an archive that no capture writes. Paths are quoted, since they are hostile too. */
export function hostileArchive(problem: string): SandboxDriverError {
  return new SandboxDriverError('DATA_LOSS', `the archive is rejected: ${problem}`, {
    reason: 'SnapshotCorrupt',
  })
}
