import type { MainThreadTasks } from './main-thread-tasks.ts'
import type { TabMemory } from './tab-memory.ts'

/** Measurements of a tab under load: an entry per round. */
export interface LoadFigures {
  readonly changesPerSecond: number
  readonly tasks: readonly MainThreadTasks[]
  readonly memory: readonly TabMemory[]
  /** Milliseconds from each input that took at least 16 ms to the next frame, with waiting for a core. */
  readonly inputs: readonly number[]
}

/** Prints a line for each figure. */
export function printFigures(figures: LoadFigures, print: (line: string) => void): void {
  const { changesPerSecond, tasks, memory, inputs } = figures
  const longest = tasks.map((round) => round.longest.toFixed(0)).join(', ')
  const longestInput = Math.max(...tasks.map((round) => round.longestInput))
  const [first] = memory
  const last = memory.at(-1)
  const sorted = inputs.toSorted((a, b) => a - b)
  const quantile = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0
  print(`  changes: ${changesPerSecond.toFixed(0)} per second, ${tasks.length} rounds`)
  print(
    `  longest input: ${longestInput.toFixed(1)} ms of CPU; longest task per round: ${longest} ms`,
  )
  print(
    `  inputs of 16 ms and more, elapsed: ${inputs.length}, ` +
      `p50 ${quantile(0.5)} ms, p95 ${quantile(0.95)} ms, most ${quantile(1)} ms`,
  )
  print(
    `  heap: ${describe(first)} after the first round, ${describe(last)} after the last, ` +
      `DOM nodes ${first?.nodes} and ${last?.nodes}`,
  )
}

function describe(memory: TabMemory | undefined): string {
  return `${memory?.heapMegabytes.toFixed(1)} MB`
}
