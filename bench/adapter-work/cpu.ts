/** The CPU seconds of the server and of PostgreSQL so far. */
export interface Cpu {
  readonly cpu: () => number
  readonly database: () => number
}
