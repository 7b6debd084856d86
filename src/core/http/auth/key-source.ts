import { readFile } from 'node:fs/promises'

/** Where the text of a key set comes from. */
export interface KeySource {
  /** For messages; without what may be secret in a URL. */
  readonly name: string
  /** Whether the server cannot start without keys from here. */
  readonly required: boolean
  read(signal: AbortSignal): Promise<string>
}

/** A key set in a file. */
export function keyFile(path: string): KeySource {
  return {
    name: `JWT_JWKS_FILE (${path})`,
    required: true,
    read: (signal) => readFile(path, { encoding: 'utf8', signal }),
  }
}
