import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/** Where the text of the log goes. Writing may fail; it never blocks the process. */
export interface LogOutlet {
  /** Writes some of the bytes, and passes on how many, or why none. */
  write(bytes: Buffer, done: (error: Error | null, written: number) => void): void
  /** The same without a callback, for a process that ends; throws the error. */
  writeSync(bytes: Buffer): number
}

/** Standard output as an outlet. */
export function openStandardOutput(): LogOutlet {
  const status = fstatSync(1)
  if (status.isFIFO() || status.isSocket()) return streamOutlet()
  return fileOutlet(status.isCharacterDevice() ? reopened() : 1)
}

function fileOutlet(fd: number): LogOutlet {
  return {
    write: (bytes, done) => write(fd, bytes, done),
    writeSync: (bytes) => writeSync(fd, bytes),
  }
}

/** Pipes and sockets do not block as a stream of Node; as a file they would block a thread. */
function streamOutlet(): LogOutlet {
  const { stdout } = process
  // A reader that has gone is reported to the callback of each write too.
  stdout.on('error', () => undefined)
  return {
    write: (bytes, done) => void stdout.write(bytes, (error) => done(error ?? null, bytes.length)),
    writeSync: (bytes) => writeSync(1, bytes),
  }
}

/**
 * A terminal under a descriptor of our own that does not block. A user can pause the output of a
 * terminal, and a process cannot exit while one of its threads is blocked.
 */
function reopened(): number {
  const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync('/dev/fd/1', O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY)
  } catch {
    // A terminal of another user, or one that has been closed.
    return 1
  }
}
