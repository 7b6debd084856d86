/** The methods of a pino logger that the server uses. */
export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}
