import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { must } from '../../src/lib/assert.ts'
import { ROOT } from './root.ts'

/** A program of this folder as a process of its own, which ends with this one. */
export interface ForkedProgram<Sent, Received> extends AsyncDisposable {
  readonly pid: number
  send(message: Sent): void
  /** The next message; rejects where the process ends instead. */
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
        const fail = (): void => reject(new Error(`${file} ended by itself`))
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
