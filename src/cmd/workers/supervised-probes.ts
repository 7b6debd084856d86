import { AggregatorRegistry, Registry } from 'prom-client'
import type { HealthCheck } from '../../http/observability/health-probe.ts'
import { createProcessRegistry } from '../../http/observability/process-metrics.ts'
import type { ReadyAnswer } from './messages.ts'
import { LastMetrics } from './last-metrics.ts'
import type { Worker } from './worker.ts'

/** The probes of a server, with the answers of all its processes. The list of workers may grow. */
export function createSupervisedProbes(workers: readonly Worker[], stopping: AbortSignal) {
  const counted = new LastMetrics()
  const registry = {
    contentType: Registry.PROMETHEUS_CONTENT_TYPE,
    metrics: () => metricsOf(workers, counted),
  }
  const readiness = {
    ready: () => readinessOf(stopping.aborted ? [] : workers),
    get checks() {
      return checksOf(workers)
    },
  }
  return { metrics: { registry }, readiness }
}

/** The metrics of all processes: sums, unless a metric has another way. */
async function metricsOf(workers: readonly Worker[], counted: LastMetrics): Promise<string> {
  const answers = await Promise.all(
    workers.map(async ({ pid, ask }) => ({ pid: pid(), metrics: await ask('metrics') })),
  )
  const own = await createProcessRegistry().getMetricsAsJSON()
  return AggregatorRegistry.aggregate([own, ...(await counted.update(answers))]).metrics()
}

/** Ready if a worker serves the API and is ready. The check `workers` names those that are not. */
async function readinessOf(workers: readonly Worker[]): Promise<ReadyAnswer> {
  const answers = await Promise.all(
    workers.map(async (worker) => ({ worker, answer: await answerOf(worker) })),
  )
  const serving = answers.filter(({ worker }) => worker.assignment.role === 'api')
  const first = serving.find(({ answer }) => answer.ok) ?? serving[0]
  const { ok, checks } = first?.answer ?? NOT_READY
  const missing = answers.filter(({ answer }) => !answer.ok)
  const numbers = missing.map(({ worker }) => worker.assignment.number).join(', ')
  return { ok, checks: { ...checks, workers: numbers === '' ? 'ok' : `not ready: ${numbers}` } }
}

const NOT_READY: ReadyAnswer = { ok: false, checks: { server: 'starting' } }

async function answerOf(worker: Worker): Promise<ReadyAnswer> {
  return (worker.isReady() ? await worker.ask('ready') : null) ?? NOT_READY
}

/**
 * The checks of the workers that serve the API: each passes if it passes in one of them. The
 * supervisor lives, so the vital ones pass.
 */
function checksOf(workers: readonly Worker[]): readonly HealthCheck[] {
  const serving = workers.filter(({ assignment }) => assignment.role === 'api')
  const [first] = serving
  return (first?.checks ?? []).map(({ name, isVital }) => ({
    name,
    isVital,
    problem: async () => {
      if (isVital) return null
      const problems = await Promise.all(serving.map((worker) => problemIn(worker, name)))
      return problems.includes(null) ? null : (problems[0] ?? null)
    },
  }))
}

async function problemIn(worker: Worker, name: string): Promise<string | null> {
  if (!worker.isReady()) return 'the worker is starting'
  const answer = await worker.ask('check', name)
  return answer === null ? 'the worker does not answer' : answer.problem
}
