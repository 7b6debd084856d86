import { quantileOf } from '../../../../bench/measure/statistics.ts'
import type { MainThreadTasks } from './main-thread-tasks.ts'
import { memoryGrowth } from './memory-growth.ts'
import type { TabMemory } from './tab-memory.ts'

/** Measurements of a tab under load: an entry per round. */
export interface LoadFigures {
  readonly changesPerSecond: number
  /** The tasks of each job of a round. */
  readonly rounds: readonly (readonly MainThreadTasks[])[]
  readonly memory: readonly (TabMemory & { readonly seconds: number })[]
  /** Milliseconds from each input that took at least 16 ms to the next frame, with waiting for a core. */
  readonly inputs: readonly number[]
}

/** The growth of the memory in the second half of the time; null if there were too few rounds. */
export function growthOf({ memory }: Pick<LoadFigures, 'memory'>): TabMemory | null {
  const growth = (field: keyof TabMemory): number | null =>
    memoryGrowth(memory.map((one) => ({ seconds: one.seconds, value: one[field] })))
  const [heapMegabytes, nodes, listeners] = [
    growth('heapMegabytes'),
    growth('nodes'),
    growth('listeners'),
  ]
  if (heapMegabytes === null || nodes === null || listeners === null) return null
  return { heapMegabytes, nodes, listeners }
}

/** Prints a line for each figure. */
export function printFigures(figures: LoadFigures, print: (line: string) => void): void {
  const { changesPerSecond, rounds, memory, inputs } = figures
  const longest = rounds
    .map((round) => Math.max(...round.map((tasks) => tasks.longest)).toFixed(0))
    .join(', ')
  const cpu = rounds.flat().flatMap((tasks) => tasks.inputs)
  print(`  changes: ${changesPerSecond.toFixed(0)} per second, ${memory.length} rounds`)
  print(
    `  CPU of ${cpu.length} inputs: p50 ${quantileOf(cpu, 0.5).toFixed(1)} ms, ` +
      `p95 ${quantileOf(cpu, 0.95).toFixed(1)} ms, most ${quantileOf(cpu, 1).toFixed(1)} ms; ` +
      `longest task per round: ${longest} ms`,
  )
  print(
    `  inputs of 16 ms and more, elapsed: ${inputs.length}, ` +
      `p50 ${quantileOf(inputs, 0.5)} ms, p95 ${quantileOf(inputs, 0.95)} ms, ` +
      `most ${quantileOf(inputs, 1)} ms`,
  )
  const heaps = memory.map(({ heapMegabytes }) => heapMegabytes.toFixed(1)).join(', ')
  const nodes = memory.map((round) => round.nodes).join(', ')
  const listeners = memory.map((round) => round.listeners).join(', ')
  print(`  after each round: heap ${heaps} MB, DOM nodes ${nodes}, listeners ${listeners}`)
  const growth = growthOf(figures)
  print(
    growth === null
      ? '  too few rounds to see a growth of memory'
      : `  growth in the second half: heap ${growth.heapMegabytes.toFixed(2)} MB, ` +
          `DOM nodes ${growth.nodes.toFixed(0)}, listeners ${growth.listeners.toFixed(0)}`,
  )
}
