import type { ProbePorts } from '../../capability/api.ts'
import type { Foundation } from '../../capability/foundation.ts'
import { errorMessage } from '../../lib/error-message.ts'
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

/** The probes of a worker whose supervisor has these ports. */
export function createWorkerProbes(
  ports: Pick<ProbePorts, 'healthPort' | 'metricsPort'>,
): WorkerProbes {
  let shown: Foundation | null = null
  return {
    show: (foundation) => {
      shown = foundation
      answerSupervisor(foundation)
      return { host: foundation.config.host, ...ports }
    },
    checks: () => shown?.readiness.checks.map(({ name, isVital }) => ({ name, isVital })) ?? [],
  }
}

/** Answers the supervisor's questions about this process until it ends. */
function answerSupervisor({ log, metrics, readiness }: Foundation): void {
  const answers: { [Name in keyof Answers]: (name: string) => Promise<Answers[Name]> } = {
    metrics: () => metrics.registry.getMetricsAsJSON(),
    ready: () => readiness.ready(),
    check: async (name) => {
      const check = readiness.checks.find((each) => each.name === name)
      return { problem: check === undefined ? null : await check.problem() }
    },
  }
  process.on('message', ({ ask, id, name }: Question) => {
    void answers[ask](name).then(
      (value) => tellSupervisor({ type: 'answer', id, value }),
      (error: unknown) => {
        log.warn({ err: errorMessage(error) }, 'the supervisor gets no answer')
        tellSupervisor({ type: 'answer', id, value: null })
      },
    )
  })
}
