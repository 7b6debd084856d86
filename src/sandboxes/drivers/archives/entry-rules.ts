import type { ArchiveLimits } from './archive-limits.ts'
import { hostileArchive } from './hostile-archive.ts'
import { isOutsideLink } from './outside-link.ts'

/** One entry, with its extended header applied. */
export interface ArchiveEntry {
  readonly type: string
  readonly path: string
  readonly link: string
  readonly mode: number
  /** Bytes in the archive. */
  readonly size: number
}

export interface EntryRulesOptions {
  /** The folders that the archive may contain, such as `workspace`. */
  readonly folders: readonly string[]
  /** Links that point outside, as the manifest lists them. */
  readonly outsideLinks: ReadonlyMap<string, string>
  readonly limits: ArchiveLimits
}

const MAX_PATH = 4096
const MAX_NAME = 255
const SET_ID = 0o6000

/** Checks the entries of an archive in their order. Every violation throws. */
export class EntryRules {
  readonly #options: EntryRulesOptions
  readonly #allowed: ReadonlySet<string>
  readonly #folders = new Set<string>()
  readonly #files = new Set<string>()
  readonly #links = new Set<string>()
  #bytes = 0

  constructor(options: EntryRulesOptions) {
    this.#options = options
    this.#allowed = new Set(options.folders)
  }

  check(entry: ArchiveEntry): void {
    const { path, type, mode, size } = entry
    this.#checkPath(path)
    if ((mode & ~0o7777) !== 0 || (mode & SET_ID) !== 0) {
      throw hostileArchive(`${quote(path)} has the mode ${mode.toString(8)}`)
    }
    if (type !== '0' && size !== 0) throw hostileArchive(`${quote(path)} must have no content`)
    switch (type) {
      case '0':
        this.#files.add(path)
        break
      case '1':
        this.#checkHardLink(entry)
        this.#files.add(path)
        break
      case '2':
        this.#checkSymbolicLink(entry)
        this.#links.add(path)
        break
      case '5':
        this.#folders.add(path)
        break
      default:
        throw hostileArchive(`${quote(path)} has the type ${quote(type)}`)
    }
    this.#checkLimits(size)
  }

  /** Checks after the last entry that every expected folder was there. */
  finish(): void {
    const missing = this.#options.folders.find((folder) => !this.#folders.has(folder))
    if (missing !== undefined) throw hostileArchive(`the folder ${quote(missing)} is missing`)
  }

  /**
   * A path is relative and has no `..`. Its folder was an entry before it, so that nothing is
   * written through a link. No path occurs twice.
   */
  #checkPath(path: string): void {
    const names = path.split('/')
    const invalid = names.some((name) => name === '' || name === '.' || name === '..')
    const long = path.length > MAX_PATH || names.some((name) => name.length > MAX_NAME)
    if (invalid || long || path.includes('\0')) {
      throw hostileArchive(`the path ${quote(path)} is not allowed`)
    }
    const folder = names.slice(0, -1).join('/')
    const inFolder = this.#allowed.has(path) || this.#folders.has(folder)
    if (!inFolder) throw hostileArchive(`no folder precedes ${quote(path)}`)
    if (this.#folders.has(path) || this.#files.has(path) || this.#links.has(path)) {
      throw hostileArchive(`the path ${quote(path)} occurs twice`)
    }
  }

  #checkHardLink({ path, link }: ArchiveEntry): void {
    if (!this.#files.has(link)) {
      throw hostileArchive(`the hard link ${quote(path)} has no file ${quote(link)} before it`)
    }
  }

  #checkSymbolicLink({ path, link }: ArchiveEntry): void {
    if (link === '' || link.includes('\0') || link.length > MAX_PATH) {
      throw hostileArchive(`the link ${quote(path)} has an invalid target`)
    }
    if (isOutsideLink(path, link) && this.#options.outsideLinks.get(path) !== link) {
      throw hostileArchive(`the link ${quote(path)} points outside, which the manifest lacks`)
    }
  }

  #checkLimits(size: number): void {
    const { limits } = this.#options
    this.#bytes += size
    if (this.#files.size + this.#folders.size + this.#links.size > limits.entries) {
      throw hostileArchive(`it has more than ${limits.entries} entries`)
    }
    if (this.#bytes > limits.bytes) throw hostileArchive(`it has more than ${limits.bytes} bytes`)
  }
}

function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text)
}
