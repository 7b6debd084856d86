/** Limits of an archive. A capture and a restore beyond them fail before anything is changed. */
export interface ArchiveLimits {
  readonly entries: number
  /** Sum of the sizes of all files, as stored in the archive: holes of sparse files are free. */
  readonly bytes: number
  /** Symbolic links that point outside the sandbox's directory. */
  readonly outsideLinks: number
}

export const DEFAULT_ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 1_000_000,
  bytes: 64 * 1024 ** 3,
  outsideLinks: 10_000,
}
