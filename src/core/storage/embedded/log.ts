/** What the embedded PostgreSQL needs of a logger; pino's has it. */
export interface Log {
  info(obj: object, msg: string): void
  warn(obj: object, msg: string): void
}
