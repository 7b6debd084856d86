import type { Drill } from './drill.ts'
import { runTestFiles } from './run-test-files.ts'

/** Attacks of programs in sandboxes on the machine, the runtime and other sandboxes. */
export const sandboxAttacks: Drill = {
  summary: 'programs in sandboxes try to escape, as root and as an ordinary user',
  cases: [
    {
      name: 'attacks',
      run: () =>
        runTestFiles(
          'test/sandboxes/attacks/attacks.drill.ts',
          'test/sandboxes/attacks/network-attacks.drill.ts',
        ),
    },
  ],
}
