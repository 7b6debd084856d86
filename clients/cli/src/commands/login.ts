import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla login`. */
export interface LoginOptions {
  readonly name?: string | undefined
  readonly tokenStdin?: boolean | undefined
}

/** `flotilla login [URL]` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('login')
    .description('Stores a server, a token and an authority as a context, and selects it.')
    .argument('[url]', 'the URL of the server (default: that of the current context)')
    .option('--name <context>', 'the name of the context (default: the host)')
    .option('--token-stdin', 'read the token from the standard input')
    .addHelpText('after', EXAMPLES)
    .action(async (url: string | undefined, options: LoginOptions, command: Command) => {
      if (url !== undefined) command.setOptionValue('server', url)
      const session = await open(command)
      const { login } = await import('../account/login.ts')
      await login(session, options, command.optsWithGlobals())
    })
}

const EXAMPLES = `
Examples:
  flotilla login https://fleet.example.com --name production
  get-token | flotilla login https://fleet.example.com --token-stdin
  flotilla login https://127.0.0.1:8000 --ca-file .flotilla/tls/ca.crt
`
