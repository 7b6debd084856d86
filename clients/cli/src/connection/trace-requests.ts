import type { Terminal } from '../output/terminal.ts'

/** Prints every request and its response, never the token. */
export function traceRequests(send: typeof fetch, err: Terminal, now: () => number): typeof fetch {
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
