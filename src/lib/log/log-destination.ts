import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** The destination of the log's text. Writing may fail but never blocks the process. */
export interface LogDestination {
  /** Writes some of the bytes. `done` receives their number, or the error if none was written. */
  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void
  /** The synchronous form, for a process that exits. Throws the error. */
  writeSync(bytes: Buffer): number
}

/** Opens standard output as a destination. */
export function openStandardOutput(): LogDestination {
  const status = fstatSync(1)
  if (status.isFIFO() || status.isSocket()) return streamDestination()
  return fileDestination(status.isCharacterDevice() ? reopened() : 1)
}

function fileDestination(fd: number): LogDestination {
  return {
    write: (bytes, done) => write(fd, bytes, done),
    writeSync: (bytes) => writeSync(fd, bytes),
  }
}

/** Node's stream writes to pipes and sockets without blocking. File writes would block a thread. */
function streamDestination(): LogDestination {
  const { stdout } = process
  // The callback of each write also reports that the reader has closed the pipe.
  stdout.on('error', () => undefined)
  return {
    write: (bytes, done) => void stdout.write(bytes, (error) => done(error ?? null, bytes.length)),
    writeSync: (bytes) => writeSync(1, bytes),
  }
}

/**
 * Reopens the terminal as a non-blocking descriptor. A user can pause the output of a terminal, and
 * a process cannot exit while one of its threads is blocked.
 */
function reopened(): number {
  const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync('/dev/fd/1', O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY)
  } catch {
    // The terminal belongs to another user or has been closed.
    return 1
  }
}
