import { BackupError } from './backup-error.ts'
import { END_OF_ROWS } from './backup-header.ts'

const NEWLINE = 10
/** Lines of the frame are short. Other files may have no line breaks at all. */
const MAX_LINE_BYTES = 1_048_576
const MARK = Buffer.from(`${END_OF_ROWS}\n`)
const MARK_AFTER_ROW = Buffer.from(`\n${END_OF_ROWS}\n`)

/** Reads the lines of the frame and the rows of the tables from the bytes of a backup. */
export class BackupReader {
  readonly #chunks: AsyncIterator<Buffer>
  #buffer: Buffer = Buffer.alloc(0)

  /** Reads uncompressed bytes. */
  constructor(bytes: AsyncIterable<Buffer>) {
    this.#chunks = bytes[Symbol.asyncIterator]()
  }

  /** Reads a line without its line break. Throws a BackupError at the end of the bytes. */
  async line(): Promise<string> {
    let end = this.#buffer.indexOf(NEWLINE)
    while (end === -1) {
      if (this.#buffer.length > MAX_LINE_BYTES) {
        throw new BackupError('the file is not a backup of Flotilla, or it is damaged')
      }
      await this.#more()
      end = this.#buffer.indexOf(NEWLINE)
    }
    const line = this.#buffer.toString('utf8', 0, end)
    this.#buffer = this.#buffer.subarray(end + 1)
    return line
  }

  /** Reads the rows of a table up to the mark of their end, in pieces of whole rows. */
  async *rows(): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const end = this.#endOfRows()
      if (end !== -1) {
        if (end > 0) yield this.#buffer.subarray(0, end)
        this.#buffer = this.#buffer.subarray(end + MARK.length)
        return
      }
      // The last row may be incomplete, and the mark may follow it.
      const complete = this.#buffer.lastIndexOf(NEWLINE, -2) + 1
      if (complete > 0) yield this.#buffer.subarray(0, complete)
      this.#buffer = this.#buffer.subarray(complete)
      await this.#more()
    }
  }

  /** Reads the end of the bytes. Throws a BackupError if more follow. */
  async end(): Promise<void> {
    const next = this.#buffer.length > 0 ? null : await this.#chunks.next()
    if (next?.done !== true) throw new BackupError('the file continues after the end of the backup')
  }

  /** The index of the mark in the buffer, or -1. The buffer begins with a row or the mark. */
  #endOfRows(): number {
    if (this.#buffer.subarray(0, MARK.length).equals(MARK)) return 0
    const found = this.#buffer.indexOf(MARK_AFTER_ROW)
    return found === -1 ? -1 : found + 1
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#chunks.next()
    if (done === true) throw new BackupError('the backup is incomplete: its end is missing')
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value])
  }
}
