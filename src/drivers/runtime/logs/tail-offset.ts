import type { FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 64 * 1024
const LINE_FEED = 10

/** The offset of the last lines of a file. A last line without a line feed counts as a line. */
export async function tailOffset(file: FileHandle, size: number, lines: number): Promise<number> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  let found = 0
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - CHUNK_BYTES)
    const { bytesRead } = await file.read(buffer, 0, end - start, start)
    for (let index = bytesRead - 1; index >= 0; index -= 1) {
      const position = start + index
      // The line feed at the end of the file ends the last line.
      if (buffer[index] !== LINE_FEED || position === size - 1) continue
      found += 1
      if (found === lines) return position + 1
    }
    end = start
  }
  return 0
}
