import type { Drill } from '../drill.ts'
import { runTestFiles, runTestFilesWith } from '../run-test-files.ts'
import { continueMemory } from './continue-memory.ts'
import { surviveKills } from './survive-kills.ts'

const SUSPENDS = 'test/sandboxes/acceptance/simultaneous-suspends.drill.ts'

/** Kills the server and the runtime during operations on sandboxes. */
export const sandboxes: Drill = {
  summary:
    'the rules of drivers for sandboxd, the client of agent-sandbox; kill -9 of server and sandboxd',
  cases: [
    {
      name: 'memory',
      run: () =>
        runTestFiles(
          'test/sandboxes/criu/criu.drill.ts',
          'test/sandboxes/gvisor/gvisor-memory.drill.ts',
          'test/sandboxes/gvisor/gvisor-network.drill.ts',
          'test/sandboxes/gvisor/gvisor-wall.drill.ts',
          'test/sandboxes/images/gvisor-image.drill.ts',
        ),
    },
    {
      name: 'kills-at-each-step',
      run: () =>
        runTestFiles(
          'test/sandboxes/acceptance/kill-runtime.drill.ts',
          'test/sandboxes/acceptance/killed-manager.drill.ts',
          'test/sandboxes/acceptance/server-kills.drill.ts',
          'test/sandboxes/acceptance/two-servers.drill.ts',
          'test/sandboxes/process-driver/sandboxd.drill.ts',
          'test/sandboxes/runtime/recovery.drill.ts',
        ),
    },
    { name: 'simultaneous-suspends', run: () => runTestFiles(SUSPENDS) },
    {
      name: '200-simultaneous-suspends',
      run: () => runTestFilesWith({ PROOFS: 'full' }, [SUSPENDS]),
    },
    { name: 'gvisor-10-kills', run: () => continueMemory(10, console.log) },
    { name: 'gvisor-100-kills', run: () => continueMemory(100, console.log) },
    {
      name: 'stock-client',
      run: () => runTestFiles('test/sandboxes/stock-client/stock-client.drill.ts'),
    },
    { name: '2-kills', run: () => surviveKills(2, console.log) },
    { name: '100-kills', run: () => surviveKills(100, console.log) },
  ],
}
