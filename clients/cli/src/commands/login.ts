import path from 'node:path'
import type { Command } from 'commander'
import { type Identity, Unauthorized } from '../../../typescript/src/index.ts'
import { contextsFile } from '../connection/contexts-file.ts'
import type { Context } from '../connection/contexts.ts'
import { readContexts } from '../connection/read-contexts.ts'
import type { ConnectionOptions } from '../connection/resolve-connection.ts'
import { writeContexts } from '../connection/write-contexts.ts'
import { CliError } from '../errors/cli-error.ts'
import { readSecret } from '../input/read-secret.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla login`. */
interface LoginOptions {
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
      await login(session, options, command.optsWithGlobals())
    })
}

const EXAMPLES = `
Examples:
  flotilla login https://fleet.example.com --name production
  get-token | flotilla login https://fleet.example.com --token-stdin
  flotilla login https://127.0.0.1:8000 --ca-file .flotilla/tls/ca.crt
`

const WHOAMI = '/api/hyperfleet/v1/whoami'
const BEARER = /^bearer\s+/i

/** Checks a token with the server, and stores it with the server as the current context. */
async function login(
  session: Session,
  options: LoginOptions,
  given: ConnectionOptions,
): Promise<void> {
  const { connection, env, err } = session
  const token = await tokenFor(session, options, given)
  const identity = await identityOf(session, token).catch(rejected)
  const { caFile, server } = connection
  const context: Context = {
    server,
    ...(token !== null && { token }),
    ...(caFile !== undefined && { caFile: path.resolve(caFile) }),
  }
  const name = options.name ?? connection.context ?? new URL(server).host
  const { contexts } = await readContexts(env)
  await writeContexts(env, { current: name, contexts: { ...contexts, [name]: context } })
  err.write(`Logged in to ${server} as ${identity.user}.\n`)
  err.write(`The context ${name} is in ${contextsFile(env)}, and commands use it from now on.\n`)
}

/** A token that was given explicitly, then the one that the user types; null if none is needed. */
async function tokenFor(
  session: Session,
  { tokenStdin }: LoginOptions,
  { token }: ConnectionOptions,
): Promise<string | null> {
  const { env, connection, stdin } = session
  if (tokenStdin === true) return checkedToken(await stdin.read())
  const explicit = token ?? env['FLOTILLA_TOKEN'] ?? ''
  if (explicit !== '') return checkedToken(explicit)
  if (!(await needsToken(session))) return null
  if (!stdin.isTty) return checkedToken(await stdin.read())
  return checkedToken(await readSecret(session, `Token for ${connection.server}: `))
}

async function needsToken(session: Session): Promise<boolean> {
  try {
    return (await identityOf(session, null)).authentication === 'token'
  } catch (error) {
    if (error instanceof Unauthorized) return true
    throw withCertificateHint(error)
  }
}

async function identityOf({ client, signal }: Session, token: string | null): Promise<Identity> {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` }
  const request = { method: 'GET', path: WHOAMI, headers, signal, retry: 'always' } as const
  return (await client.request<Identity>(request)).body
}

/** People paste tokens with line breaks, or with the word that precedes them in headers. */
function checkedToken(text: string): string {
  const token = text.trim().replace(BEARER, '')
  if (/^[\u0021-\u007e]+$/.test(token)) return token
  throw new CliError(
    token === ''
      ? 'the token is empty'
      : 'the token contains spaces or other characters that tokens cannot have',
    {
      exit: 'usage',
      hint: 'Paste the token alone, or pipe it to the command with --token-stdin.',
    },
  )
}

function rejected(error: unknown): never {
  if (!(error instanceof Unauthorized)) throw withCertificateHint(error)
  throw new CliError(`the server rejected the token: ${error.message}`, {
    cause: error,
    hint: 'Nothing was stored. Request a new token from its issuer and log in again.',
  })
}

function withCertificateHint(error: unknown): unknown {
  if (!(error instanceof Error) || !/certificate|self[- ]signed/i.test(error.message)) return error
  return new CliError(error.message, {
    cause: error,
    hint: "Name the file with the authority of the server's certificate: --ca-file FILE.",
  })
}
