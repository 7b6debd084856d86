import type { FileHandle } from 'node:fs/promises'
import { MAX_LOG_BYTES } from './limit-log.ts'

const CHUNK_BYTES = 64 * 1024
const LINE_FEED = 10

/**
 * The offset of the last lines of a file. A last line without a line feed counts as a line. Searches
 * no more than a log keeps: a workload can give its output any size.
 */
export async function tailOffset(file: FileHandle, size: number, lines: number): Promise<number> {
  const buffer = Buffer.alloc(CHUNK_BYTES)
  const oldest = Math.max(0, size - MAX_LOG_BYTES)
  let found = 0
  for (let end = size; end > oldest;) {
    const start = Math.max(oldest, end - CHUNK_BYTES)
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
  return oldest
}
