import cluster, { type Worker as Process } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { SettingError } from '../../lib/setting-error.ts'
import { type Assignment, assignmentVariables } from './assignment.ts'
import type { Answers, CheckName, WorkerMessage } from './messages.ts'
import { Questions } from './questions.ts'

const FIRST_PAUSE_MS = 100
const MAX_PAUSE_MS = 10_000

/** The options of all workers of a supervisor. */
export interface WorkerOptions {
  readonly log: Logger
  /** Receives the lines of the worker's log. */
  readonly writeLines: (lines: string) => void
  /** Ends the worker. */
  readonly signal: AbortSignal
}

/** A worker. A process that ends is replaced until the server stops. */
export interface Worker {
  readonly assignment: Assignment
  /** Port of the API; 0 for a worker that does not serve it. */
  readonly port: number
  /** Whether its process serves. */
  readonly isReady: () => boolean
  /** The id of its process. */
  readonly pid: () => number
  /** The checks of its health. */
  readonly checks: readonly CheckName[]
  /** Asks the process; null if it does not answer in time. */
  readonly ask: <Name extends keyof Answers>(
    ask: Name,
    name?: string,
  ) => Promise<Answers[Name] | null>
  /** Makes the process read its settings again. */
  readonly reload: () => void
  /** Ends the process immediately. */
  readonly kill: () => void
  /** Resolves when the process has ended after the signal. */
  readonly ended: Promise<void>
}

/** One process of a worker. */
interface Life {
  readonly process: Process
  readonly questions: Questions
  readonly ready: Promise<Extract<WorkerMessage, { type: 'ready' }>>
  /** Resolves with the way in which it ended. */
  readonly ended: Promise<string>
  hasServed: boolean
}

/** Starts a worker. Rejects if its first process ends before it is ready. */
export async function startWorker(assignment: Assignment, options: WorkerOptions): Promise<Worker> {
  const { log, signal } = options
  signal.throwIfAborted()
  const stop = (): boolean => life.process.process.kill('SIGTERM')
  let life = begin(assignment, options)
  signal.addEventListener('abort', stop, { once: true })
  const { port, checks } = await Promise.race([life.ready, failure(assignment, life)])
  const successor = { ...assignment, apiPort: assignment.apiPort || port }

  const isReady = (): boolean => life.hasServed && !life.process.isDead()

  async function replaceUntilStopped(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const how = await life.ended
      if (signal.aborted) return
      log.error({ worker: assignment.number, how }, 'a worker ended: it starts again')
      if (life.hasServed) pauseMs = FIRST_PAUSE_MS
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      life = begin(successor, options)
    }
  }

  return {
    assignment,
    port,
    checks,
    isReady,
    pid: () => life.process.process.pid ?? 0,
    ask: (ask, name) => life.questions.ask(ask, name),
    // A process that starts reads the settings itself, and does not handle the signal yet.
    reload: () => {
      if (isReady()) life.process.process.kill('SIGHUP')
    },
    kill: () => void life.process.process.kill('SIGKILL'),
    ended: replaceUntilStopped(),
  }
}

function begin(assignment: Assignment, { writeLines }: WorkerOptions): Life {
  const process = cluster.fork(assignmentVariables(assignment))
  const questions = new Questions((question) => process.send(question))
  const ready = new Promise<Extract<WorkerMessage, { type: 'ready' }>>((resolve) => {
    process.on('message', (message: WorkerMessage) => {
      if (message.type === 'log') writeLines(message.lines)
      else if (message.type === 'answer') questions.settle(message.id, message.value)
      else {
        life.hasServed = true
        resolve(message)
      }
    })
  })
  const ended = new Promise<string>((resolve) => {
    process.on('error', ({ message }) => resolve(message))
    process.on('exit', (code, signal: string | null) =>
      resolve(signal === null ? `with code ${code}` : `by ${signal}`),
    )
  })
  const life: Life = { process, questions, ready, ended, hasServed: false }
  return life
}

async function failure({ number }: Assignment, { ended }: Life): Promise<never> {
  throw new SettingError(`worker ${number} did not start: it ended ${await ended}`)
}
