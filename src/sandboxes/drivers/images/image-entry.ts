/** A part of a root file system, in the order in which it is applied. */
export interface ImageEntry {
  /** `omitted`: a device, pipe or socket, which no image gets. */
  readonly type: 'file' | 'directory' | 'link' | 'hard link' | 'omitted'
  /** As the source states it. Each character is a byte, because names need not be UTF-8. */
  readonly path: string
  /** The target of a link. */
  readonly target: string
  readonly isExecutable: boolean
  /** Seconds since 1970. */
  readonly modified: number
  /** The bytes of a file. They must be read before the next entry. */
  readonly content: AsyncIterable<Buffer>
}

/** The content of entries that are not files. */
export async function* noContent(): AsyncGenerator<Buffer> {}
