import type { Drill } from './drill.ts'
import { testFileCases } from './run-test-files.ts'

/** Attacks of programs in sandboxes on the machine, the runtime and other sandboxes. */
export const sandboxAttacks: Drill = {
  summary: 'programs in sandboxes try to escape, as root and as an ordinary user',
  ...testFileCases({
    attacks: [
      'test/sandboxes/attacks/attacks.drill.ts',
      'test/sandboxes/attacks/network-attacks.drill.ts',
    ],
    'opened-walls': ['test/sandboxes/attacks/opened-walls.drill.ts'],
  }),
}
