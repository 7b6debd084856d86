import type { Command } from 'commander'
import type { Session } from '../session/session.ts'

/** Connects a command to its server, with the global options. */
export type OpenSession = (command: Command) => Promise<Session>

/**
 * Adds a command to the program. The file of a command contains its options and its action; it
 * imports a module in its action only if few calls need it.
 */
export type Register = (program: Command, open: OpenSession) => void
