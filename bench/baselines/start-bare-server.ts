import { forkProgram } from '../servers/fork-program.ts'

/** A node:http server without a framework: the baseline for API CPU. */
export interface BareServer extends AsyncDisposable {
  readonly origin: string
  readonly pid: number
  /** Sets the bodies that GET requests receive in rotation. */
  respondWith(bodies: readonly string[]): Promise<void>
}

export async function startBareServer(): Promise<BareServer> {
  const program = forkProgram<readonly string[], number | string>('bare-server.ts')
  const port = await program.receive()
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: program.pid,
    respondWith: async (bodies) => {
      program.send(bodies)
      await program.receive()
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
