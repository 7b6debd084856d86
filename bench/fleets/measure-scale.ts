import type { FleetBench } from './fleet-bench.ts'

const LARGE = 1000
const SMALL = 100
const NAME = 'scaled'

/** Shrinks a fleet, whose members are then deleted, and lets it grow again. */
export async function measureScale(bench: FleetBench): Promise<void> {
  const { api, watch } = bench
  const isSettled = (replicas: number) => (event: { readonly isObserved: boolean } & Counts) =>
    event.isObserved && event.replicas === replicas && event.readyReplicas === replicas
  await api.create(NAME, LARGE)
  await watch.until(NAME, isSettled(LARGE))
  for (const [from, to] of [
    [LARGE, SMALL],
    [SMALL, LARGE],
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
