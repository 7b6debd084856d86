import { forkProgram } from './fork-program.ts'

/** A node:http server without anything: the floor that Node sets. */
export interface BareServer extends AsyncDisposable {
  readonly origin: string
  readonly pid: number
  /** From now on GET is answered with these bodies in turn. */
  answerWith(bodies: readonly string[]): Promise<void>
}

export async function startBareServer(): Promise<BareServer> {
  const program = forkProgram<readonly string[], number | string>('bare-server.ts')
  const port = await program.receive()
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: program.pid,
    answerWith: async (bodies) => {
      program.send(bodies)
      await program.receive()
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
