import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Resource } from '../../src/store/model/resource.ts'
import { showExactTimes } from '../../src/store/operations/read/show-exact-times.ts'
import { createRegistry } from '../../src/store/registry/registry.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import {
  at,
  replay,
  reports,
  SPEC_CHANGE,
} from '../../src/hyperfleet/statuses/conditions/fixtures.ts'
import { type ReportTime, reportTimeOf } from '../../src/store/model/status-record.ts'
import { statusHooks } from '../../src/hyperfleet/statuses/conditions/status-hooks.ts'
import { microsecondsOf, timeOfMicroseconds } from '../../src/lib/precise-date.ts'
import { hyperfleetRepresentation } from '../../src/hyperfleet/wire/representation.ts'
import { serializeResource } from '../../src/hyperfleet/wire/resource.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

const ADAPTERS = ['a', 'b', 'a-b', 'aB']
const registry = createRegistry({
  hrefBase: BASE_PATH,
  kinds,
  specSchemas: new Map(kinds.map(({ kind }) => [kind, { type: 'object' }])),
  requiredAdapters: new Map([['Cluster', ['a', 'b']]]),
  statusHooks,
})
const kind = registry.byName('Cluster')

const step = fc.oneof(
  fc.constant(SPEC_CHANGE),
  fc
    .tuple(
      fc.constantFrom(...ADAPTERS),
      fc.constantFrom('True', 'False', 'Unknown', null),
      fc.integer({ min: 1, max: 3 }),
    )
    .map(([adapter, available, generation]) => reports(adapter, available, generation)),
)

const microseconds = (time: Date) => time.getTime() * 1000 + microsecondsOf(time)

/** Report times in the JSON format that the statements return. */
function textOf(times: readonly ReportTime[]): string | null {
  const entries = times.map(({ adapter, availableGeneration, lastReportTime }) => {
    return [adapter, availableGeneration, microseconds(lastReportTime)]
  })
  return entries.length === 0 ? null : JSON.stringify(entries)
}

describe('the serialized body of a resource', () => {
  it('equals the wire form with the exact report times', () => {
    const scenario = fc.tuple(
      fc.array(step, { maxLength: 8 }),
      fc.jsonValue(),
      fc.constantFrom('v0.1', 'latest', 'both'),
      fc.nat(1_000_000),
      fc.boolean(),
    )
    fc.assert(
      fc.property(scenario, ([steps, value, family, delay, annotated]) => {
        const { generation, conditions, rows } = replay(['a', 'b'], steps)
        const resource: Resource = {
          id: '2x',
          tenant: '',
          kind: 'Cluster',
          name: 'name',
          ownerId: '',
          generation,
          version: 1n,
          spec: { value: JSON.parse(JSON.stringify(value)), '"0"': '\\u0000' },
          labels: { $1: '$&' },
          annotations: annotated ? { note: 'x' } : {},
          refs: {},
          conditions,
          requiredAdapters: null,
          createdTime: at(0),
          updatedTime: at(0),
          createdBy: 'a',
          updatedBy: 'a',
          deletedTime: null,
          deletedBy: null,
        }
        const read = {
          ...resource,
          spec: JSON.stringify(resource.spec),
          labels: JSON.stringify(resource.labels),
          annotations: JSON.stringify(resource.annotations),
        }
        const wire = { registry, family } as const
        const first = [...rows.values()].map(reportTimeOf)
        // Heartbeats change only the times.
        const second = first.map((time) => ({
          ...time,
          lastReportTime: timeOfMicroseconds(
            microseconds(time.lastReportTime) + delay * time.adapter.length,
          ),
        }))
        const rendering = hyperfleetRepresentation(wire).serialize(read, textOf(first))
        const bodies = [first, second, second, first].map((reportTimes) => {
          return { reportTimes, body: rendering.at(textOf(reportTimes)) }
        })
        // Compare all bodies at the end, because a later call must not overwrite an earlier body.
        for (const { reportTimes, body } of bodies) {
          const shown = showExactTimes(kind, resource, reportTimes)
          expect(JSON.parse(body.toString())).toEqual(
            JSON.parse(JSON.stringify(serializeResource(wire, kind, shown))),
          )
          expect(body).toHaveLength(rendering.bytes)
        }
        expect(bodies[1]?.body).toBe(bodies[2]?.body)
      }),
      { numRuns: 300 },
    )
  })
})
