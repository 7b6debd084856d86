import { SandboxDriverError } from './sandbox-driver-error.ts'

/** The control plane of a caller, and its database. */
export interface Installation {
  /** The random ID of the control plane, which a restored backup keeps. */
  readonly id: string
  /** The database, as `database_origin()` identifies it: `<system>/<timeline>/<oid>`. */
  readonly database: string
}

/** Metadata of a call: the installation of the caller. Callers of earlier versions send none. */
export const INSTALLATION_HEADER = 'flotilla-installation'

/**
 * Metadata of GetRuntimeInfo: the ID of the installation that a runtime registers itself with. The
 * runtime only asks whether its servers are served: it does not know their database.
 */
export const REGISTRATION_HEADER = 'flotilla-registration'

const FORMAT = /^([\w-]{1,64}) (\d{1,20}\/\d{1,10}\/\d{1,10})$/

export function formatInstallation({ id, database }: Installation): string {
  return `${id} ${database}`
}

/** Null if the text has another form. */
export function parseInstallation(text: string): Installation | null {
  const [, id, database] = FORMAT.exec(text) ?? []
  return id === undefined || database === undefined ? null : { id, database }
}

/** The installation of a call; null if it names none. */
export function callerInstallation(headers: Pick<Headers, 'get'>): Installation | null {
  const text = headers.get(INSTALLATION_HEADER)
  if (text === null) return null
  const caller = parseInstallation(text)
  if (caller !== null) return caller
  throw new SandboxDriverError(
    'INVALID_ARGUMENT',
    `${INSTALLATION_HEADER} is not '<id> <system>/<timeline>/<oid>'`,
  )
}
