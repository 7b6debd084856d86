import { EntryRules, type EntryRulesOptions } from './entry-rules.ts'
import { hostileArchive } from './hostile-archive.ts'
import { readPaxRecords } from './pax-records.ts'
import { BLOCK_BYTES, readTarHeader, type TarHeader } from './tar-header.ts'

const MAX_EXTENDED_HEADER = 64 * 1024
const TRAILING_SLASH = /\/$/
const EMPTY_BLOCK = Buffer.alloc(BLOCK_BYTES)

type Part =
  /** Block of a header. */
  | { readonly kind: 'header' }
  /** Records for the next header. */
  | { readonly kind: 'extended'; readonly bytes: number }
  /** Content of a file. */
  | { readonly kind: 'content' }
  /** Zeros after the last entry. */
  | { readonly kind: 'end' }

/**
 * Checks an archive while it streams to tar. `accept` returns only if every header in the chunk
 * follows the rules, so tar never reads one that was not checked.
 */
export class ArchiveChecker {
  readonly #rules: EntryRules
  #part: Part = { kind: 'header' }
  /** Bytes of the current part that are still to come. */
  #missing = BLOCK_BYTES
  #pending: Buffer[] = []
  #extended: ReadonlyMap<string, string> | null = null
  #emptyBlocks = 0

  constructor(options: EntryRulesOptions) {
    this.#rules = new EntryRules(options)
  }

  accept(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      const taken = chunk.subarray(at, at + this.#missing)
      at += taken.length
      this.#missing -= taken.length
      this.#take(taken)
      if (this.#missing === 0) this.#next()
    }
  }

  /** Checks that the archive is complete. */
  finish(): void {
    const atEnd = this.#part.kind === 'end' && this.#missing === BLOCK_BYTES
    if (!atEnd || this.#emptyBlocks < 2) throw hostileArchive('it is truncated')
    this.#rules.finish()
  }

  #take(bytes: Buffer): void {
    if (this.#part.kind === 'content') return
    this.#pending.push(bytes)
  }

  #next(): void {
    const part = this.#part
    const body = Buffer.concat(this.#pending)
    this.#pending = []
    switch (part.kind) {
      case 'header':
        return this.#header(body)
      case 'end':
        return this.#end(body)
      case 'content':
        return this.#expect({ kind: 'header' }, BLOCK_BYTES)
      case 'extended':
        this.#extended = readPaxRecords(body.subarray(0, part.bytes))
        if (!this.#extended) throw hostileArchive('an extended header is malformed')
        return this.#expect({ kind: 'header' }, BLOCK_BYTES)
    }
  }

  #header(block: Buffer): void {
    if (block.equals(EMPTY_BLOCK)) {
      if (this.#extended) throw hostileArchive('an extended header has no entry')
      return this.#end(block)
    }
    const header = readTarHeader(block)
    if (!header) throw hostileArchive('a header is malformed')
    if (header.type === 'x') return this.#startExtended(header)
    const records = this.#extended ?? new Map<string, string>()
    this.#extended = null
    const size = contentSize(header, records)
    this.#rules.check({
      type: header.type,
      path: pathOf(header, records),
      link: records.get('linkpath') ?? header.link,
      mode: header.mode,
      size,
    })
    if (size > 0) this.#expect({ kind: 'content' }, padded(size))
    else this.#expect({ kind: 'header' }, BLOCK_BYTES)
  }

  #startExtended({ size }: TarHeader): void {
    if (this.#extended || size === 0 || size > MAX_EXTENDED_HEADER) {
      throw hostileArchive('an extended header is misplaced, empty or too large')
    }
    this.#expect({ kind: 'extended', bytes: size }, padded(size))
  }

  #end(block: Buffer): void {
    if (!block.equals(EMPTY_BLOCK)) throw hostileArchive('data follows its end')
    this.#emptyBlocks += 1
    this.#expect({ kind: 'end' }, BLOCK_BYTES)
  }

  #expect(part: Part, bytes: number): void {
    this.#part = part
    this.#missing = bytes
  }
}

function padded(size: number): number {
  return Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
}

/** tar ends the path of a folder with a slash. */
function pathOf(header: TarHeader, records: ReadonlyMap<string, string>): string {
  const path = records.get('GNU.sparse.name') ?? records.get('path') ?? header.name
  return header.type === '5' ? path.replace(TRAILING_SLASH, '') : path
}

function contentSize(header: TarHeader, records: ReadonlyMap<string, string>): number {
  const sparse = ['GNU.sparse.major', 'GNU.sparse.minor', 'GNU.sparse.name', 'GNU.sparse.realsize']
  const count = sparse.filter((key) => records.has(key)).length
  const version = `${records.get('GNU.sparse.major')}.${records.get('GNU.sparse.minor')}`
  const realSize = records.get('GNU.sparse.realsize')
  if (count !== 0 && (count !== sparse.length || version !== '1.0' || header.type !== '0')) {
    throw hostileArchive('a sparse file has an unknown format')
  }
  if (realSize !== undefined) numberOf(realSize)
  const size = records.get('size')
  return size === undefined ? header.size : numberOf(size)
}

function numberOf(digits: string): number {
  const value = /^[0-9]{1,16}$/.test(digits) ? Number(digits) : Number.NaN
  if (!Number.isSafeInteger(value)) throw hostileArchive('a size is not a number')
  return value
}
