/** Options of a {@link Client}. */
export interface ClientOptions {
  /**
   * The bearer token, or a function that returns the current one. The function is called for every
   * attempt, and once more after a 401.
   */
  readonly token?: string | (() => string | Promise<string>) | undefined
  /** Milliseconds until an attempt fails without a response. The default is 30 000. */
  readonly timeout?: number | undefined
  /** How often a failed call is repeated. The default is 4. */
  readonly retries?: number | undefined
  /**
   * Milliseconds of silence after which a watch reconnects. The default is 45 000, which is three
   * heartbeats of the server.
   */
  readonly heartbeatTimeout?: number | undefined
  /** Headers of every request, such as those of a gateway. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}
