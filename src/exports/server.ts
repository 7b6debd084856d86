/** A whole server, with all that Flotilla can do, and with kinds of your program. */
export type { Overrides } from '../cmd/overrides.ts'
export type { Config } from '../cmd/config.ts'
export { readConfig } from '../cmd/settings.ts'
export { type Flotilla, startFlotilla } from '../cmd/start-flotilla.ts'
