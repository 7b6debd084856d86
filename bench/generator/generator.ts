import { forkProgram } from '../servers/fork-program.ts'
import type { FromGenerator, Load, LoadResult, Target, ToGenerator } from './messages.ts'
import type { Mix } from './operation.ts'

/** The load generator, a separate process that runs one load at a time. */
export interface Generator extends AsyncDisposable {
  /** Opens a session. Its sequence of requests continues from one load to the next. */
  open(target: Target, mix: Mix): LoadSession
}

export interface LoadSession {
  /** Rejects if a response is unexpected. */
  run(load: Load): Promise<LoadResult>
  close(): void
}

export async function startGenerator(): Promise<Generator> {
  const program = forkProgram<ToGenerator, FromGenerator>('load-generator.ts')
  await program.receive()
  let sessions = 0
  return {
    open: (target, mix) => {
      const session = (sessions += 1)
      program.send({ type: 'open', session, target, mix })
      return {
        run: async (load) => {
          program.send({ type: 'run', session, load })
          const message = await program.receive()
          if (message.type === 'measured') return message.result
          throw new Error(
            message.type === 'failed' ? message.message : 'the load generator did not measure',
          )
        },
        close: () => program.send({ type: 'close', session }),
      }
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
