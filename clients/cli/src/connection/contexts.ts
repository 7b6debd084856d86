/** A server that the user has logged in to. */
export interface Context {
  readonly server: string
  readonly token?: string | undefined
  /** The path of the file with the authority of the server's certificate. */
  readonly caFile?: string | undefined
}

/** The content of the file with the contexts. */
export interface Contexts {
  /** The name of the context that commands use; null without one. */
  readonly current: string | null
  readonly contexts: Readonly<Record<string, Context>>
}
