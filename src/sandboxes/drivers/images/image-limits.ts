import { DEFAULT_ARCHIVE_LIMITS } from '../archives/archive-limits.ts'

/** Limits of an image. One beyond them is rejected, and nothing of it stays. */
export interface ImageLimits {
  /** Files, directories and links of all layers together. */
  readonly entries: number
  /** Decompressed bytes of all layers together. */
  readonly bytes: number
  readonly layers: number
  /** Bytes of a manifest, an index or a configuration. */
  readonly documentBytes: number
}

const { entries, bytes } = DEFAULT_ARCHIVE_LIMITS

export const IMAGE_LIMITS: ImageLimits = {
  entries,
  bytes,
  layers: 256,
  documentBytes: 4 * 1024 ** 2,
}
