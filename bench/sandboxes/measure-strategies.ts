import type { SandboxBench } from './sandbox-bench.ts'
import type { Strategy } from './sandbox-api.ts'

const STRATEGIES: readonly Strategy[] = ['Stop', 'Freeze', 'process', 'process-criu']
const LABELS: Readonly<Record<Strategy, string>> = {
  Stop: 'Stop',
  Freeze: 'Freeze',
  process: 'Hibernate files',
  gvisor: 'Hibernate with gVisor',
  'process-criu': 'Hibernate files and memory',
}
export const MEGABYTES = [1, 100]
const ROUNDS = { full: 5, quick: 1 }

/** Suspend and resume by strategy and by the size of the workspace: medians. */
export async function measureStrategies(bench: SandboxBench): Promise<void> {
  const drivers = await bench.api.awaitRuntime()
  for (const strategy of STRATEGIES) {
    const reason = drivers.get(strategy) ?? ''
    if (reason !== '') {
      bench.omit(LABELS[strategy], reason)
      continue
    }
    for (const megabytes of MEGABYTES) await measureOne(bench, strategy, megabytes)
  }
}

async function measureOne(
  { api, isQuick, fact }: SandboxBench,
  strategy: Strategy,
  megabytes: number,
): Promise<void> {
  const name = `${strategy.toLowerCase()}-${megabytes}`
  const fill = `[ -e data ] || head -c ${megabytes}000000 /dev/urandom >data; echo ready`
  await api.create(name, strategy, `${fill}; while :; do sleep 1; done`)
  const suspends: number[] = []
  const resumes: number[] = []
  for (let round = 0; round < (isQuick ? ROUNDS.quick : ROUNDS.full); round += 1) {
    suspends.push(await timed(() => api.suspend(name)))
    resumes.push(await timed(() => api.resume(name)))
  }
  await api.remove(name)
  fact(`suspend, ${LABELS[strategy]}, ${megabytes} MB`, median(suspends), 'ms')
  fact(`resume, ${LABELS[strategy]}, ${megabytes} MB`, median(resumes), 'ms')
}

/** Milliseconds that a task takes. */
export async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await task()
  return performance.now() - start
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
