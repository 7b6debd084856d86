import type { Drill } from './drill.ts'
import { runTestFiles } from './run-test-files.ts'

/** Runs each benchmark briefly and checks its figures, its checks and its clean-up. */
export const bench: Drill = {
  summary: 'short runs of the benchmarks',
  cases: [{ name: 'bench', run: () => runTestFiles('test/drills/bench.drill.ts') }],
}
