import type { Probe, Probes } from '../../generated/proto/snapshot_driver_pb.ts'

/** The result of a check; null if the processes were stopped during it, so that it means nothing. */
export type CheckResult = { readonly isSuccess: boolean; readonly message: string } | null

/** The state of an instance by its probes. */
export interface ProbedState {
  /** Whether the startup probe has succeeded, or there is none. */
  readonly hasStarted: boolean
  /** Null without a startup or readiness probe. */
  readonly isReady: boolean | null
  /** Why the instance is not ready. */
  readonly message: string
}

/** The instance that probes check. Tests pass their own time. */
export interface ProbedInstance {
  /** The last recorded state. */
  readonly state: ProbedState
  check(probe: Probe, signal: AbortSignal): Promise<CheckResult>
  /** Records a state, which may be the same as before. */
  onState(state: ProbedState): Promise<void>
  /** Ends the instance, because the probe has failed. */
  onFailure(probe: Probe, message: string): Promise<void>
  /** Milliseconds since the start of the instance. */
  age(): number
  pause(ms: number, signal: AbortSignal): Promise<void>
}

/** Longer times would not fit the timers of the platform. */
const MAX_MS = 2 ** 31 - 1
/** Pause after a check that a freeze or a capture has made meaningless. */
const RECHECK_MS = 1000

/**
 * Performs the probes of an instance until the signal is aborted or one has failed for good. Returns
 * whether one has.
 */
export async function runProbes(
  probes: Probes,
  instance: ProbedInstance,
  signal: AbortSignal,
): Promise<boolean> {
  const { startup, readiness, liveness } = probes
  const failure = new AbortController()
  const stop = AbortSignal.any([signal, failure.signal])
  const watched = { instance, signal: stop }
  const fail = async (name: string, probe: Probe, message: string): Promise<void> => {
    failure.abort()
    await instance.onFailure(probe, `the ${name} probe has failed: ${message}`)
  }
  let { state } = instance
  if (startup !== undefined && !state.hasStarted) {
    const verdict = await awaitStart(startup, watched)
    if (verdict === null) return false
    if (!verdict.isSuccess) {
      await fail('startup', startup, verdict.message)
      return true
    }
    const message = 'the readiness probe has not succeeded yet'
    state =
      readiness === undefined
        ? { hasStarted: true, isReady: true, message: '' }
        : { hasStarted: true, isReady: false, message }
    await instance.onState(state)
  }
  const loops: Promise<void>[] = []
  if (readiness !== undefined) loops.push(watchReadiness(readiness, watched, state))
  if (liveness !== undefined) {
    loops.push(
      watch(liveness, watched, async ({ isSuccess, message, counts }) => {
        if (!isSuccess && counts) await fail('liveness', liveness, message)
      }),
    )
  }
  await Promise.all(loops)
  return failure.signal.aborted
}

interface Watched {
  readonly instance: ProbedInstance
  readonly signal: AbortSignal
}

interface Verdict extends NonNullable<CheckResult> {
  /** Whether enough checks in a row had this result. */
  readonly counts: boolean
}

/** The first success or failure that counts; null if the signal was aborted before. */
async function awaitStart(probe: Probe, { instance, signal }: Watched): Promise<Verdict | null> {
  const found = new AbortController()
  let first: Verdict | null = null
  const watched = { instance, signal: AbortSignal.any([signal, found.signal]) }
  await watch(probe, watched, async (verdict) => {
    if (verdict.counts) {
      first ??= verdict
      found.abort()
    } else if (!verdict.isSuccess) {
      const message = `the startup probe has not succeeded yet: ${verdict.message}`
      await instance.onState({ hasStarted: false, isReady: false, message })
    }
  })
  return first
}

async function watchReadiness(probe: Probe, watched: Watched, before: ProbedState): Promise<void> {
  let { isReady } = before
  await watch(probe, watched, async ({ isSuccess, message, counts }) => {
    if (isSuccess ? !counts : !counts && isReady === true) return
    isReady = isSuccess
    await watched.instance.onState({
      hasStarted: true,
      isReady,
      message: isSuccess ? '' : `the readiness probe fails: ${message}`,
    })
  })
}

/** Repeats a check and reports its results. */
async function watch(
  probe: Probe,
  { instance, signal }: Watched,
  report: (verdict: Verdict) => Promise<void>,
): Promise<void> {
  const delayMs = probe.initialDelaySeconds <= 0 ? 0 : milliseconds(probe.initialDelaySeconds)
  await instance.pause(Math.max(0, delayMs - instance.age()), signal)
  const periodMs = milliseconds(probe.periodSeconds)
  let row = { isSuccess: true, length: 0 }
  while (!signal.aborted) {
    const result = await instance.check(probe, signal)
    if (signal.aborted) return
    if (result !== null) {
      const { isSuccess, message } = result
      row = { isSuccess, length: row.isSuccess === isSuccess ? row.length + 1 : 1 }
      const threshold = isSuccess ? probe.successThreshold : probe.failureThreshold
      await report({ isSuccess, message, counts: row.length >= threshold })
    }
    const pauseMs = result === null ? Math.min(RECHECK_MS, periodMs) : periodMs
    if (!signal.aborted) await instance.pause(pauseMs, signal)
  }
}

/** Seconds of a probe in milliseconds. Fields without a value mean one second. */
export function milliseconds(seconds: number): number {
  return Math.min(MAX_MS, Math.max(1, seconds) * 1000)
}
