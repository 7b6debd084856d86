import type { FleetBench } from './fleet-bench.ts'

const LARGE = { full: 1000, quick: 100 }
const SMALL = { full: 100, quick: 10 }
const NAME = 'scaled'

/** Shrinks a fleet, whose members are then deleted, and lets it grow again. */
export async function measureScale(bench: FleetBench): Promise<void> {
  const { api, watch } = bench
  const mode = bench.isQuick ? 'quick' : 'full'
  const [large, small] = [LARGE[mode], SMALL[mode]]
  const isSettled = (replicas: number) => (event: { readonly isObserved: boolean } & Counts) =>
    event.isObserved && event.replicas === replicas && event.readyReplicas === replicas
  await api.create(NAME, large)
  await watch.until(NAME, isSettled(large))
  for (const [from, to] of [
    [large, small],
    [small, large],
  ] as const) {
    const past = watch.eventsOf(NAME).length
    const start = performance.now()
    await api.scale(NAME, to)
    const { time } = await watch.until(NAME, isSettled(to), past)
    bench.fact(`from ${from} to ${to} members`, time - start, 'ms')
    const writes = watch.eventsOf(NAME).length - past - 1
    bench.fact(`status writes from ${from} to ${to} members`, writes, '')
  }
  await api.remove(NAME)
  await watch.until(NAME, ({ isDeleted }) => isDeleted)
}

interface Counts {
  readonly replicas: number
  readonly readyReplicas: number
}
