import { median, MEGABYTES, timed } from './measure-strategies.ts'
import type { Strategy } from './sandbox-api.ts'
import type { SandboxBench } from './sandbox-bench.ts'

const CLASSES = ['bubblewrap', 'gvisor', 'process']
const ROUNDS = { full: 5, quick: 2 }
const MANY = { full: 100, quick: 10 }

/** Create to ready, exec, suspend and resume by isolation class and size of the workspace: medians. */
export async function measureClasses(bench: SandboxBench): Promise<void> {
  await bench.api.awaitRuntime()
  const offered = await bench.api.classes()
  for (const isolationClass of CLASSES) {
    const reason = offered.get(isolationClass) ?? 'the runtime does not know it'
    if (reason !== '') {
      bench.omit(`class ${isolationClass}`, reason)
      continue
    }
    await measureStart(bench, isolationClass)
    await measureMany(bench, isolationClass)
    const strategies: readonly Strategy[] =
      isolationClass === 'gvisor' ? ['process', 'gvisor'] : ['process']
    for (const strategy of strategies) {
      for (const megabytes of [0, ...MEGABYTES]) {
        await measureCycle(bench, { isolationClass, strategy, megabytes })
      }
    }
  }
}

async function measureStart(bench: SandboxBench, isolationClass: string): Promise<void> {
  const { api, fact } = bench
  const creates: number[] = []
  const execs: number[] = []
  for (let round = 0; round < rounds(bench); round += 1) {
    const name = `start-${isolationClass}-${round}`
    creates.push(await timed(() => api.createReady(name, isolationClass)))
    execs.push(await timed(() => api.exec(name, ['/bin/true'])))
    await api.remove(name)
  }
  fact(`${isolationClass}: create to ready`, median(creates), 'ms')
  fact(`${isolationClass}: exec`, median(execs), 'ms')
}

/** Creates many sandboxes at the same time. */
async function measureMany(
  { api, fact, isQuick }: SandboxBench,
  isolationClass: string,
): Promise<void> {
  const count = isQuick ? MANY.quick : MANY.full
  const names = Array.from({ length: count }, (_, index) => `many-${isolationClass}-${index}`)
  const elapsed = await timed(() =>
    Promise.all(names.map((name) => api.createReady(name, isolationClass))),
  )
  fact(`${isolationClass}: ${count} sandboxes ready`, elapsed, 'ms')
  await Promise.all(names.map((name) => api.remove(name)))
}

interface Cycle {
  readonly isolationClass: string
  readonly strategy: Strategy
  readonly megabytes: number
}

async function measureCycle(
  bench: SandboxBench,
  { isolationClass, strategy, megabytes }: Cycle,
): Promise<void> {
  const { api, fact } = bench
  const name = `cycle-${isolationClass}-${strategy}-${megabytes}`
  await api.createReady(name, isolationClass, { strategy })
  await api.exec(name, ['/bin/sh', '-c', `head -c ${megabytes}000000 /dev/urandom >data`])
  const suspends: number[] = []
  const resumes: number[] = []
  for (let round = 0; round < rounds(bench); round += 1) {
    suspends.push(await timed(() => api.suspend(name)))
    resumes.push(await timed(() => api.resume(name)))
  }
  await api.remove(name)
  const what = `${isolationClass} with the driver ${strategy}, ${megabytes} MB`
  fact(`suspend, ${what}`, median(suspends), 'ms')
  fact(`resume, ${what}`, median(resumes), 'ms')
}

function rounds({ isQuick }: SandboxBench): number {
  return isQuick ? ROUNDS.quick : ROUNDS.full
}
