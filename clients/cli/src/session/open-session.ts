import { readFile } from 'node:fs/promises'
import { Client } from '../../../typescript/src/index.ts'
import { httpFetch } from '../connection/http-fetch.ts'
import { readContexts } from '../connection/read-contexts.ts'
import { type ConnectionOptions, resolveConnection } from '../connection/resolve-connection.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Runtime } from './runtime.ts'
import type { Session } from './session.ts'
import type { Terminal } from '../output/terminal.ts'

/** The options that every command has. */
export interface GlobalOptions extends ConnectionOptions {
  /** Milliseconds. */
  readonly requestTimeout?: number | undefined
  readonly verbose?: boolean | undefined
  /** How often a failed request is repeated. */
  readonly retries?: number | undefined
}

/** People wait for a command, so it repeats failed requests less often than a program. */
const RETRIES = 2

/** Connects a command to its server. Sends no request. */
export async function openSession(runtime: Runtime, options: GlobalOptions): Promise<Session> {
  const { env, stdin, out, err, now, startTimer, signal } = runtime
  const connection = resolveConnection(options, env, await readContexts(env))
  const plain = httpFetch(await readAuthority(connection.caFile))
  const send = options.verbose === true ? traceRequests(plain, err, now) : plain
  const client = new Client(connection.server, {
    token: connection.token,
    timeout: options.requestTimeout,
    retries: options.retries ?? RETRIES,
    fetch: send,
  })
  let kinds: ReturnType<typeof client.kinds> | null = null
  return {
    client,
    kinds: () => (kinds ??= client.kinds({ signal })),
    connection,
    stdin,
    out,
    err,
    env,
    now: () => client.serverTime(),
    startTimer,
    signal,
  }
}

async function readAuthority(file: string | undefined): Promise<string | null> {
  if (file === undefined) return null
  return await readFile(file, 'utf8').catch((error: unknown) => {
    const detail = error instanceof Error ? error.message : String(error)
    throw new CliError(`the authority of the server's certificate cannot be read: ${detail}`, {
      cause: error,
      hint: 'Check the path of --ca-file or of the context.',
    })
  })
}

/** Prints every request and its response, never the token. */
function traceRequests(send: typeof fetch, err: Terminal, now: () => number): typeof fetch {
  return async (input, init) => {
    const start = now()
    const line = `${init?.method ?? 'GET'} ${input instanceof Request ? input.url : String(input)}`
    const print = (outcome: string) =>
      err.write(err.colors.dim(`${line} -> ${outcome} (${now() - start} ms)`) + '\n')
    try {
      const response = await send(input, init)
      print(`${response.status} ${response.headers.get('x-request-id') ?? ''}`.trimEnd())
      return response
    } catch (error) {
      print(error instanceof Error ? error.message : String(error))
      throw error
    }
  }
}
