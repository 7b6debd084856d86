import { readFile } from 'node:fs/promises'

/** Reads the text of a key set. */
export interface KeySource {
  /** For messages. It omits the query of a URL, which may contain secrets. */
  readonly name: string
  /** Whether the server refuses to start if it cannot read keys. */
  readonly required: boolean
  read(signal: AbortSignal): Promise<string>
}

/** A key set in a file. `setting` is the name of the setting with its path. */
export function keyFile(path: string, setting: string): KeySource {
  return {
    name: `${setting} (${path})`,
    required: true,
    read: (signal) => readFile(path, { encoding: 'utf8', signal }),
  }
}
