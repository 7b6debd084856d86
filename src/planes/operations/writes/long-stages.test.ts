import { expect, test, vi } from 'vitest'
import { countTurns } from '../../../../test/support/count-turns.ts'
import { stopPerformanceClock } from '../../../../test/support/stop-performance-clock.ts'
import type { ObjectWrite } from '../../../store/objects/model/object-write.ts'
import { systemClock } from '../../../lib/clock.ts'
import { workFor } from '../../../lib/tracing/main-thread.ts'
import { CONFIG_MAP } from '../../admission/fixtures.ts'
import type { NativeResource } from '../../model/native-resource.ts'
import type { ResourceStore } from '../../model/resource-store.ts'
import type { OperationsContext } from '../context.ts'
import { createContinueTokens } from '../reads/continue-token.ts'
import { createObject } from './create-object.ts'
import { deleteObject } from './delete-object.ts'
import { updateObject } from './update-object.ts'

/** Longer than a turn of the event loop may take. */
const LONG_MS = 11

stopPerformanceClock()

/** Stages that take long, and the number of the turn in which each of them ran. */
function longStages() {
  const turns: [string, number][] = []
  const counter = countTurns()
  const stage = <T>(name: string, result: T): T => {
    turns.push([name, counter.turn])
    vi.advanceTimersByTime(LONG_MS)
    return result
  }
  const native: NativeResource = {
    type: CONFIG_MAP,
    strategy: {
      prepareCreate: (object) => stage('prepare', object),
      prepareUpdate: (object) => stage('prepare', object),
      validate: () => stage('validate', []),
    },
  }
  const store: Pick<ResourceStore, 'read' | 'write'> = {
    read: (key) => {
      const metadata = { name: key.name, namespace: key.namespace, uid: 'u' }
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata }
      return Promise.resolve({ ...key, uid: 'u', revision: 1n, body, managedFields: [] })
    },
    write: ({ type }: ObjectWrite) =>
      Promise.resolve(stage(type, { status: 'written', revision: 2n })),
  }
  const context: OperationsContext = {
    clock: systemClock,
    natives: new Map([['configmaps', native]]),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- these writes read and write
    storeOf: () => store as ResourceStore,
    admission: [
      {
        mutate: ({ object }) => Promise.resolve(stage('mutate', object)),
        validate: () => Promise.resolve(stage('admit', undefined)),
      },
    ],
    convert: (objects) => Promise.resolve(objects),
    continueTokens: createContinueTokens({
      key: Buffer.alloc(32),
      clock: systemClock,
      lifetimeSeconds: 60,
    }),
  }
  return {
    context,
    turns,
    [Symbol.dispose]: () => counter[Symbol.dispose](),
  }
}

const requester = {
  user: { name: 'ada', uid: '', groups: [], extra: {} },
  warn: () => undefined,
}
const target = {
  plane: 'root',
  type: CONFIG_MAP,
  version: 'v1',
  namespace: 'default',
  name: 'a',
  subresource: '',
}
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default', labels: { a: '1' } },
}

test.each([
  [
    'creation',
    ['prepare', 'mutate', 'validate', 'admit', 'create'],
    (context: OperationsContext) =>
      createObject(context, {
        requester,
        target: { ...target, name: '' },
        input: object,
        options: {},
      }),
  ],
  [
    'update',
    ['prepare', 'mutate', 'validate', 'admit', 'update'],
    (context: OperationsContext) =>
      updateObject(context, { requester, target, input: object, options: {} }),
  ],
  [
    'deletion',
    ['admit', 'remove'],
    (context: OperationsContext) => deleteObject(context, { requester, target, options: {} }),
  ],
])('other events are handled between the long stages of a %s', async (_write, stages, run) => {
  using long = longStages()
  workFor({})
  await run(long.context)
  expect(long.turns.map(([name]) => name)).toEqual(stages)
  expect(new Set(long.turns.map(([, turn]) => turn)).size).toBe(stages.length)
})
