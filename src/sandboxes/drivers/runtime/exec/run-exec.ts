import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { create } from '@bufbuild/protobuf'
import { must } from 'flotilla'
import { hasEnded } from 'flotilla/programs'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import { type ExecOutput, ExecOutputSchema } from '../../generated/proto/snapshot_driver_pb.ts'
import { killTree } from '../machine/kill-tree.ts'
import { SYSTEM_ENVIRONMENT } from '../machine/spawn-detached.ts'

interface Execution {
  readonly command: readonly string[]
  readonly stdin: Uint8Array
  /** 0 has no limit. */
  readonly timeoutMs: number
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal
}

const SIGNAL_BASE = 128
/** Time to read the last output of a killed command. */
const OUTPUT_TIMEOUT_MS = 1000

/**
 * Runs a command and yields its output, then its exit code. All its processes are killed if the
 * client goes away, or after the timeout, which fails with DEADLINE_EXCEEDED.
 */
export async function* runExec(execution: Execution): AsyncGenerator<ExecOutput> {
  const { command, stdin, timeoutMs, signal } = execution
  const [program = '', ...parameters] = command
  const child = spawn(program, parameters, {
    cwd: '/',
    detached: true,
    env: SYSTEM_ENVIRONMENT,
  })
  await once(child, 'spawn')
  const exited = once(child, 'exit')
  const timeout = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : null
  const stop = timeout === null ? signal : AbortSignal.any([signal, timeout])
  const kill = (): void => {
    void killTree(must(child.pid, 'the pid of a command'), () => !hasEnded(child))
    setTimeout(() => closeOutput(child), OUTPUT_TIMEOUT_MS).unref()
  }
  if (stop.aborted) kill()
  else stop.addEventListener('abort', kill)
  try {
    // The command may end without reading its input.
    child.stdin.on('error', () => undefined)
    child.stdin.end(stdin)
    yield* outputOf(child)
    await exited
    if (timeout?.aborted === true) {
      const message = `the command did not end in ${timeoutMs / 1000} s and was killed`
      throw new SandboxDriverError('DEADLINE_EXCEEDED', message)
    }
    yield create(ExecOutputSchema, { output: { case: 'exitCode', value: exitCodeOf(child) } })
  } finally {
    stop.removeEventListener('abort', kill)
    if (!hasEnded(child)) kill()
  }
}

/** Merges both streams in the order of arrival, and reads no faster than the client. */
async function* outputOf(child: ChildProcessWithoutNullStreams): AsyncGenerator<ExecOutput> {
  const streams = [
    { name: 'stdout', chunks: child.stdout[Symbol.asyncIterator]() },
    { name: 'stderr', chunks: child.stderr[Symbol.asyncIterator]() },
  ] as const
  const ended = { done: true, value: undefined } as const
  // `closeOutput` ends a stream with an error.
  const next = async (index: 0 | 1) => ({
    index,
    result: await streams[index].chunks.next().catch(() => ended),
  })
  const pending = new Map([
    [0, next(0)],
    [1, next(1)],
  ])
  while (pending.size > 0) {
    const { index, result } = await Promise.race(pending.values())
    if (result.done === true) {
      pending.delete(index)
      continue
    }
    pending.set(index, next(index))
    const value = new Uint8Array(result.value)
    yield create(ExecOutputSchema, { output: { case: streams[index].name, value } })
  }
}

/** A process that has left the command, such as a daemon, may keep its output open. */
function closeOutput({ stdout, stderr }: ChildProcessWithoutNullStreams): void {
  stdout.destroy()
  stderr.destroy()
}

function exitCodeOf({ exitCode, signalCode }: ChildProcessWithoutNullStreams): number {
  if (exitCode !== null) return exitCode
  return SIGNAL_BASE + (signalCode === null ? 0 : constants.signals[signalCode])
}
