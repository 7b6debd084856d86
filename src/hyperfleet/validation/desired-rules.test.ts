import { expect, test, vi } from 'vitest'
import { countTurns } from '../../../test/support/count-turns.ts'
import { stopPerformanceClock } from '../../../test/support/stop-performance-clock.ts'
import { schemaCompiler } from '../../http/validation/schema-compiler.ts'
import { workFor } from '../../lib/tracing/main-thread.ts'
import { createRegistry } from '../../store/registry/registry.ts'
import { kinds } from '../kinds/index.ts'
import { BASE_PATH } from '../paths/base-path.ts'
import { createDesiredRules } from './desired-rules.ts'

/** Longer than a turn of the event loop may take. */
const LONG_MS = 11

stopPerformanceClock()

test('other events are handled between the long checks of a patch', async () => {
  const object = { type: 'object' } as const
  const request = { ...object, properties: { spec: object } }
  const schemas = Object.fromEntries(kinds.map(({ kind }) => [`${kind}PatchRequest`, request]))
  const registry = createRegistry({
    hrefBase: BASE_PATH,
    kinds,
    specSchemas: new Map(kinds.map(({ kind }) => [kind, object])),
    requiredAdapters: new Map(),
  })
  const compiler = schemaCompiler({ components: { schemas } })
  const rules = createDesiredRules({ compiler, registry, bodyLimit: 1000 })
  const turns = new Set<number>()
  using counter = countTurns()
  const spec = {
    get size() {
      turns.add(counter.turn)
      vi.advanceTimersByTime(LONG_MS)
      return 1
    },
  }
  workFor({})
  const current = { spec: { size: 2 }, labels: {}, annotations: {}, refs: {} }
  const desired = await rules(registry.byName('Cluster'), { spec }, current)
  expect(desired).toEqual({ ...current, spec: { size: 1 } })
  // The size, then the comparison, then the copy.
  expect(turns.size).toBe(3)
})
