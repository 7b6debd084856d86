import type { ProbePorts } from '../../capability/api.ts'
import type { Foundation } from '../../capability/foundation.ts'
import type { Answers, CheckName, Question, WorkerMessage } from './messages.ts'

/** Sends a message to the supervisor. A worker whose supervisor is gone ends. */
export function tellSupervisor(message: WorkerMessage, done?: (error: Error | null) => void): void {
  process.send?.(message, undefined, undefined, done)
}

/** The health and metrics of this process, which its supervisor shows. */
interface WorkerProbes {
  readonly show: (foundation: Foundation) => ProbePorts
  /** The checks, once they are shown. */
  readonly checks: () => readonly CheckName[]
}

/**
 * Answers the supervisor's questions about this process until it ends. A start that is repeated
 * shows another foundation.
 */
export function createWorkerProbes(
  ports: Pick<ProbePorts, 'healthPort' | 'metricsPort'>,
): WorkerProbes {
  let shown: Foundation | null = null
  process.on('message', ({ ask, id, name }: Question) => {
    void answer(shown, ask, name).then((value) => tellSupervisor({ type: 'answer', id, value }))
  })
  return {
    show: (foundation) => {
      shown = foundation
      return { host: foundation.config.host, ...ports }
    },
    checks: () => shown?.readiness.checks.map(({ name, isVital }) => ({ name, isVital })) ?? [],
  }
}

/** Never rejects: null means that this process cannot answer. */
async function answer(
  foundation: Foundation | null,
  ask: Question['ask'],
  name: string,
): Promise<Answers[keyof Answers] | null> {
  if (foundation === null) return null
  const { log, metrics, readiness } = foundation
  try {
    if (ask === 'metrics') return await metrics.registry.getMetricsAsJSON()
    if (ask === 'ready') return await readiness.ready()
    const check = readiness.checks.find((each) => each.name === name)
    return { problem: (await check?.problem()) ?? null }
  } catch (error) {
    log.warn({ err: error }, 'the supervisor gets no answer')
    return null
  }
}
