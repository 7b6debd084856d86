import { Command, type CommanderError } from 'commander'
import type { Terminal } from '../output/terminal.ts'
import { addGlobalOptions } from './global-options.ts'

/** The program without its commands. It throws instead of ending the process. */
export function createProgram(
  version: string,
  { out, err }: Readonly<Record<'out' | 'err', Terminal>>,
) {
  const program = new Command('flotilla')
    .description('Fleets of clusters on PostgreSQL')
    .usage('COMMAND [options]')
    .helpOption('-h, --help', 'show the help of a command')
    .helpCommand('help [command]', 'show the help of a command')
    .configureHelp({ showGlobalOptions: true, sortOptions: false })
    .configureOutput({
      writeOut: (text) => out.write(text),
      // The help of a command that lacks its subcommand.
      writeErr: (text) => err.write(text),
      // The failures of the parser are reported as all other errors.
      outputError: () => undefined,
      getOutHelpWidth: () => (out.isTty ? out.columns : 80),
      getErrHelpWidth: () => (err.isTty ? err.columns : 80),
    })
    .exitOverride((error: CommanderError) => {
      throw error
    })
  program.version(version, '-V, --version', 'print the version')
  addGlobalOptions(program)
  return program
}
