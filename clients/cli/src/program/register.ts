import type { Command } from 'commander'
import type { Session } from '../session/session.ts'

/** Connects a command to its server, with the global options. */
export type OpenSession = (command: Command) => Promise<Session>

/**
 * Adds a command to the program. The file of a command imports at its top only what its help needs;
 * its action may import more.
 */
export type Register = (program: Command, open: OpenSession) => void
