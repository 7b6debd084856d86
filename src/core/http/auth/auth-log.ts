/** Where authentication tells operators what they should know; a pino logger is one. */
export interface AuthLog {
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
}
