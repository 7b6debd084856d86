import type { EncryptionKey } from 'flotilla/programs'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { Manifest } from './manifest.ts'
import type { ProcessDriverOptions } from './process-driver-options.ts'

/**
 * Checks that this machine and this workload can use a snapshot. Returns the key of its archive;
 * null if the archive is not encrypted.
 */
export function requireCompatible(
  { compatibility, workloadDigest, archive }: Manifest,
  wantedWorkload: string,
  options: ProcessDriverOptions,
): EncryptionKey | null {
  const { architecture } = compatibility
  if (architecture !== options.architecture) {
    throw incompatible(
      `it was taken on ${architecture}, and this machine is ${options.architecture}`,
    )
  }
  if (wantedWorkload !== '' && workloadDigest !== '' && wantedWorkload !== workloadDigest) {
    throw incompatible('the command, environment or volumes of the sandbox have changed since')
  }
  if (archive.compression === 'zstd' && !options.tools.zstd) {
    throw incompatible('its archive needs the program zstd: install it')
  }
  if (archive.encryptionKey === null) return null
  const key = options.encryptionKeys.find(({ id }) => id === archive.encryptionKey)
  if (key) return key
  throw incompatible(
    `it is encrypted with the key '${archive.encryptionKey}', which SANDBOX_ENCRYPTION_KEYS does not list`,
  )
}

function incompatible(problem: string): SandboxDriverError {
  return new SandboxDriverError('FAILED_PRECONDITION', `cannot restore the snapshot: ${problem}`, {
    reason: 'Incompatible',
  })
}
