import { parseArgs } from 'node:util'
import { applyObject } from '../../src/planes/apply/apply-object.ts'
import { trackUpdate } from '../../src/planes/apply/track-update.ts'
import { leastBytes } from '../../src/planes/apply/typed/least-bytes.ts'
import { typeOfObjects } from '../../src/planes/apply/typed/type-of-schema.ts'
import type { Steps } from '../../src/lib/async/steps.ts'
import type { ApiObject } from '../../src/planes/model/api-object.ts'
import { CONFIG_MAPS } from '../../src/planes/native/core/config-maps/config-maps.ts'
import { must } from '../../src/lib/assert.ts'
import { spreadOf } from '../measure/statistics.ts'
import { markdownTable } from '../results/markdown-table.ts'

/** The last is about the most keys that a config map can have with the fields of its creator. */
const KEYS = [1000, 10_000, 50_000]

const { type } = CONFIG_MAPS
const { schema } = must(type.versions[0], 'a version')
const FIELDS = typeOfObjects(schema)
const WRITE = { manager: 'a', type, version: 'v1', subresource: '', now: new Date(0) }

/**
 * Measures the CPU time of the steps that check and track the fields of a config map. Each step is
 * one turn of the event loop for large objects.
 */
export function measureFields(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { rounds: { type: 'string', default: '15' } },
  })
  const rows = KEYS.flatMap((keys) => {
    const samples = Array.from({ length: Number(values.rounds) }, () => stepsOf(keys))
    return Object.keys(must(samples[0], 'a sample')).map((step) => {
      const times = samples.map((sample) => must(sample[step], step))
      const { median, max } = must(spreadOf(times), 'samples')
      const perKey = (median * 1000) / keys
      return [`${keys}`, step, median.toFixed(2), max.toFixed(2), perKey.toFixed(2)]
    })
  })
  const header = ['Keys', 'Step', 'Median ms', 'Longest ms', 'Median us per key']
  console.log(markdownTable(header, rows))
}

/** The CPU time of the longest step and of all steps of each write in milliseconds. */
function stepsOf(keys: number): Readonly<Record<string, number>> {
  const created = configMap(keys)
  const times: Record<string, number> = {}
  const timed = <T>(name: string, run: () => T): T => {
    const start = process.cpuUsage()
    const result = run()
    const { user, system } = process.cpuUsage(start)
    const time = (user + system) / 1000
    times[`${name}, longest step`] = Math.max(times[`${name}, longest step`] ?? 0, time)
    times[`${name}, all steps`] = (times[`${name}, all steps`] ?? 0) + time
    return result
  }
  timed('least size', () => leastBytes(created, FIELDS, Infinity))
  const inSteps = (write: string, steps: Steps<ApiObject>): ApiObject => {
    for (;;) {
      const { done, value } = timed(write, () => steps.next())
      if (done === true) return value
    }
  }
  const old = inSteps('create', trackUpdate(null, created, WRITE))
  const other = { ...WRITE, manager: 'b' }
  const data = { ...configMap(keys)['data'], 'key-7': 'w' }
  const changed = configMap(keys, 'w')
  inSteps('change of one key', trackUpdate(old, { ...old, data }, other))
  inSteps('change of all keys', trackUpdate(old, { ...old, ...changed }, other))
  const applied = inSteps('apply', applyObject({ live: null, applied: created }, WRITE, false))
  const half = { live: applied, applied: configMap(keys / 2) }
  inSteps('apply without half of the keys', applyObject(half, WRITE, false))
  const forced = applyObject({ live: applied, applied: changed }, other, true)
  inSteps('apply by another manager', forced)
  return times
}

function configMap(
  keys: number,
  value = 'v',
): ApiObject & { readonly data: Readonly<Record<string, string>> } {
  const entries = Array.from({ length: keys }, (_, index) => [`key-${index}`, value] as const)
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a' },
    data: Object.fromEntries(entries),
  }
}
