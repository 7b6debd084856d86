import type { Drill } from '../drill.ts'
import { runTestFilesWith, testFileCases } from '../run-test-files.ts'
import { continueMemory } from './continue-memory.ts'
import { surviveKills } from './survive-kills.ts'

const SUSPENDS = 'test/sandboxes/acceptance/simultaneous-suspends.drill.ts'

const { cases, prepare } = testFileCases({
  memory: [
    'test/sandboxes/criu/criu.drill.ts',
    'test/sandboxes/gvisor/gvisor-memory.drill.ts',
    'test/sandboxes/gvisor/gvisor-network.drill.ts',
    'test/sandboxes/gvisor/gvisor-wall.drill.ts',
    'test/sandboxes/images/gvisor-image.drill.ts',
  ],
  'kills-at-each-step': [
    'test/sandboxes/acceptance/kill-runtime.drill.ts',
    'test/sandboxes/acceptance/installations.drill.ts',
    'test/sandboxes/acceptance/killed-manager.drill.ts',
    'test/sandboxes/acceptance/server-kills.drill.ts',
    'test/sandboxes/acceptance/two-servers.drill.ts',
    'test/sandboxes/process-driver/sandboxd.drill.ts',
    'test/sandboxes/runtime/recovery.drill.ts',
  ],
  'simultaneous-suspends': [SUSPENDS],
  'stock-client': ['test/sandboxes/stock-client/stock-client.drill.ts'],
})

/** Kills the server and the runtime during operations on sandboxes. */
export const sandboxes: Drill = {
  summary:
    'the rules of drivers for sandboxd, the client of agent-sandbox; kill -9 of server and sandboxd',
  cases: [
    ...cases,
    {
      name: '200-simultaneous-suspends',
      run: () => runTestFilesWith({ PROOFS: 'full' }, [SUSPENDS]),
    },
    { name: 'gvisor-10-kills', run: () => continueMemory(10, console.log) },
    { name: 'gvisor-100-kills', run: () => continueMemory(100, console.log) },
    { name: '2-kills', run: () => surviveKills(2, console.log) },
    { name: '100-kills', run: () => surviveKills(100, console.log) },
  ],
  prepare,
}
