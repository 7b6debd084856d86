import { CliError } from '../errors/cli-error.ts'
import { contextNamed } from './context-named.ts'
import type { Context, Contexts } from './contexts.ts'

const LOCAL_SERVER = 'http://127.0.0.1:8000'

/** The options of every command that choose the server. */
export interface ConnectionOptions {
  readonly context?: string | undefined
  readonly server?: string | undefined
  readonly token?: string | undefined
  readonly caFile?: string | undefined
}

export interface Connection extends Context {
  /** The name of the context; null if options or the environment name the server. */
  readonly context: string | null
}

/**
 * Chooses the server: options first, then the environment, then the current context, then a server on
 * this machine. The token of a context is only sent to the server of this context.
 */
export function resolveConnection(
  options: ConnectionOptions,
  env: NodeJS.ProcessEnv,
  contexts: Contexts,
): Connection {
  const server =
    options.server ?? textOf(options.context === undefined ? env['FLOTILLA_SERVER'] : '')
  const token = options.token ?? textOf(env['FLOTILLA_TOKEN'])
  const name = options.context ?? textOf(env['FLOTILLA_CONTEXT']) ?? contexts.current
  const context =
    server === undefined && name !== null ? contextNamed(contexts, name, 'usage') : null
  const chosen = context ?? { server: checkedServer(server ?? LOCAL_SERVER) }
  return {
    ...chosen,
    ...(token !== undefined && { token }),
    ...(options.caFile !== undefined && { caFile: options.caFile }),
    context: context === null ? null : name,
  }
}

function checkedServer(server: string): string {
  const url = URL.canParse(server) ? new URL(server) : null
  if (url !== null && /^https?:$/.test(url.protocol)) return server.replace(/\/+$/, '')
  throw new CliError(`the server '${server}' is not a URL`, {
    exit: 'usage',
    hint: `A server is a URL such as ${LOCAL_SERVER}.`,
  })
}

const textOf = (value: string | undefined) => (value === '' ? undefined : value)
