import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { must } from '../../src/lib/assert.ts'
import { ROOT } from './root.ts'

/** A program of bench/ in a child process that exits with this process. */
export interface ForkedProgram<Sent, Received> extends AsyncDisposable {
  readonly pid: number
  send(message: Sent): void
  /** Resolves with the next message. Rejects if the process exits first. */
  receive(): Promise<Received>
}

/** `file` is relative to bench/. */
export function forkProgram<Sent extends object, Received>(
  file: string,
): ForkedProgram<Sent, Received> {
  const child = fork(path.join(ROOT, 'bench', file), {
    cwd: ROOT,
    execArgv: ['--import', 'tsx'],
  })
  const exited = once(child, 'exit')
  return {
    pid: must(child.pid, 'a process id'),
    send: (message) => void child.send(message),
    receive: () =>
      new Promise<Received>((resolve, reject) => {
        const fail = (): void => reject(new Error(`${file} exited unexpectedly`))
        child.once('exit', fail)
        child.once('message', (message: Received) => {
          child.off('exit', fail)
          resolve(message)
        })
      }),
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await exited
    },
  }
}
