import { errorMessage } from 'flotilla'
import type { ExecOutput, Probe } from '../../generated/proto/snapshot_driver_pb.ts'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import { httpStatus } from './check-http.ts'
import type { Connect } from './connect.ts'
import { type CheckResult, milliseconds } from './run-probes.ts'

/** How checks reach an instance. */
export interface CheckTarget {
  readonly connect: Connect
  /** Runs a command beside the workload. */
  readonly exec: (
    command: readonly string[],
    timeoutSeconds: number,
    signal: AbortSignal,
  ) => AsyncIterable<ExecOutput>
}

type Verdict = NonNullable<CheckResult>

const SUCCESS: Verdict = { isSuccess: true, message: '' }
const FIRST_FAILURE_STATUS = 400
const MAX_OUTPUT = 200

/** Performs the check of a probe once. Never rejects. */
export async function checkInstance(
  target: CheckTarget,
  probe: Probe,
  signal: AbortSignal,
): Promise<Verdict> {
  const timeoutMs = milliseconds(probe.timeoutSeconds)
  // `AbortSignal.any` would leave a reference in the signal, which lives as long as the instance.
  const check = new AbortController()
  const abort = (): void => check.abort()
  signal.addEventListener('abort', abort)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    // Commands have their own timeout.
    if (probe.check.case !== 'exec') abort()
  }, timeoutMs)
  try {
    return await perform(target, probe, { timeoutMs, signal: check.signal })
  } catch (error) {
    return failure(isLate ? `no answer in ${timeoutMs / 1000} s` : errorMessage(error))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

interface Limits {
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

async function perform(
  target: CheckTarget,
  { check }: Probe,
  { timeoutMs, signal }: Limits,
): Promise<Verdict> {
  switch (check.case) {
    case 'tcp':
      ;(await target.connect(check.value.port, signal)).destroy()
      return SUCCESS
    case 'http': {
      const status = await httpStatus(target.connect, check.value, signal)
      const isSuccess = status >= 200 && status < FIRST_FAILURE_STATUS
      return isSuccess ? SUCCESS : failure(`HTTP status ${status}`)
    }
    case 'exec':
      return checkCommand(target.exec(check.value.command, timeoutMs / 1000, signal))
    case undefined:
      return failure('the probe has no check')
  }
}

async function checkCommand(outputs: AsyncIterable<ExecOutput>): Promise<Verdict> {
  let text = ''
  let code: number | null = null
  try {
    for await (const { output } of outputs) {
      if (output.case === 'exitCode') code = output.value
      else if (output.case !== undefined && text.length < MAX_OUTPUT) {
        text += Buffer.from(output.value).toString('utf8')
      }
    }
  } catch (error) {
    if (error instanceof SandboxDriverError && error.code === 'DEADLINE_EXCEEDED') {
      return failure(error.message)
    }
    throw error
  }
  if (code === 0) return SUCCESS
  const said = text.trim().slice(0, MAX_OUTPUT)
  return failure(`exit code ${code ?? 'unknown'}${said === '' ? '' : `: ${said}`}`)
}

function failure(message: string): Verdict {
  return { isSuccess: false, message }
}
