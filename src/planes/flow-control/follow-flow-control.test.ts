import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { FlowControl } from '../../http/fairness/flow-control.ts'
import type { ObjectLog } from '../../store/objects/feed/object-log.ts'
import type { PlaneConfiguration } from '../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { LogEntry } from '../../store/objects/storage/changes/object-change-row.ts'
import { followFlowControl } from './follow-flow-control.ts'
import type { AppliedFlow } from './flow-objects.ts'
import { FLOW_SCHEMAS_KEY } from './flow-schemas.ts'

type Schema = Pick<StoredObject, 'name' | 'body'> & { readonly uid?: string }

let subscriber: Parameters<ObjectLog['subscribe']>[0] | null = null
let schemas: readonly Schema[] = []
let isFailing = false
/** Reads end when these are called. */
let held: (() => void)[] | null = null
let applied: (FlowControl | null)[] = []
let errors: unknown[] = []
let shown: AppliedFlow

beforeEach(() => {
  vi.useFakeTimers()
  schemas = []
  isFailing = false
  held = null
  applied = []
  errors = []
  shown = { objects: null }
})
afterEach(() => {
  vi.useRealTimers()
})

function configuration(schemas: readonly Schema[]): PlaneConfiguration {
  const current: PlaneConfiguration = {
    revision: 1n,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
    objects: (resource) => (resource === FLOW_SCHEMAS_KEY ? (schemas as StoredObject[]) : []),
    derive: (_key, _resources, compute) => compute(current),
  }
  return current
}

function follow(): Promise<Disposable> {
  return followFlowControl({
    log: {
      subscribe: (next) => {
        subscriber = next
        return { [Symbol.dispose]: () => undefined }
      },
    },
    configurations: {
      of: async () => {
        if (isFailing) throw new Error('offline')
        const read = configuration(schemas)
        await new Promise<void>((resolve) => (held === null ? resolve() : held.push(resolve)))
        return read
      },
    },
    apply: (next) => applied.push(next),
    applied: shown,
    onError: (error) => errors.push(error),
  })
}

async function change(plane: string, resource: string): Promise<void> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the parts that are read
  subscriber?.onChanges([{ type: 'ADDED', plane, resource } as LogEntry])
  await vi.advanceTimersByTimeAsync(0)
}

test('applies nothing until the root plane has classes', async () => {
  using _following = await follow()
  schemas = [{ name: 'a', body: {} }]
  await change('c1', FLOW_SCHEMAS_KEY)
  await change('root', 'configmaps')
  expect(applied).toEqual([])
  await change('root', FLOW_SCHEMAS_KEY)
  expect(applied).toEqual([expect.objectContaining({ classes: expect.any(Map) })])
  schemas = []
  subscriber?.onLost()
  await vi.advanceTimersByTimeAsync(0)
  expect(applied.at(-1)).toBeNull()
})

test('shows the objects of the root plane, also before it has classes', async () => {
  schemas = []
  using _following = await follow()
  expect(shown.objects?.schemas).toEqual(new Map())
  schemas = [{ name: 'a', uid: 'u1', body: {} }]
  await change('root', FLOW_SCHEMAS_KEY)
  expect(shown.objects?.schemas).toEqual(new Map([['a', 'u1']]))
})

test('reads again after a failure', async () => {
  isFailing = true
  schemas = [{ name: 'a', body: {} }]
  using _following = await follow()
  expect(errors).toHaveLength(1)
  isFailing = false
  await vi.advanceTimersByTimeAsync(1000)
  expect(applied).toHaveLength(1)
})

test('ignores a read that ends after a later one', async () => {
  using _following = await follow()
  held = []
  await change('root', FLOW_SCHEMAS_KEY)
  schemas = [{ name: 'a', body: {} }]
  await change('root', FLOW_SCHEMAS_KEY)
  for (const finish of held.toReversed()) {
    finish()
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(applied).toEqual([expect.objectContaining({ classes: expect.any(Map) })])
})
