import { readFile } from 'node:fs/promises'

/** Where the text of a key set comes from. */
export interface KeySource {
  /** For messages; without what may be secret in a URL. */
  readonly name: string
  /** Whether the server cannot start without keys from here. */
  readonly required: boolean
  read(signal: AbortSignal): Promise<string>
}

/** A key set in a file, which `setting` names. */
export function keyFile(path: string, setting: string): KeySource {
  return {
    name: `${setting} (${path})`,
    required: true,
    read: (signal) => readFile(path, { encoding: 'utf8', signal }),
  }
}
