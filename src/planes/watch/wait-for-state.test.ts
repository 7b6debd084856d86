import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ChangeSubscriber } from '../../store/objects/model/change-subscriber.ts'
import type { ObjectChange } from '../../store/objects/model/object-change.ts'
import type { ResourceStore } from '../model/resource-store.ts'
import { resourceKey } from '../model/resource-type.ts'
import { nativeType } from '../native/native-type.ts'
import { conditionState } from './awaited-state.ts'
import { createWaitForState } from './wait-for-state.ts'

const TYPE = nativeType({
  group: 'example.com',
  kind: 'Task',
  plural: 'tasks',
  definitions: 'com.example.v1',
  namespaced: false,
  description: 'A task.',
  properties: {},
  hasStatus: true,
  printerColumns: [],
})
const KEY = { plane: 'root', resource: resourceKey(TYPE), namespace: '' }
const TARGET = {
  plane: 'root',
  type: TYPE,
  version: 'v1',
  namespace: '',
  name: 'a',
  subresource: '',
}

const READY = conditionState({ type: 'Ready', status: 'True' })
const LIMITS = { timeoutMs: 60_000, signal: new AbortController().signal }

function bodyOf(name: string, ready: string) {
  const status = { conditions: [{ type: 'Ready', status: ready, reason: 'Test' }] }
  return { apiVersion: 'example.com/v1', kind: 'Task', metadata: { name, uid: name }, status }
}

/** A store whose object `a` changes when the test says so, and the calls to it. */
function changingStore() {
  const calls: string[] = []
  const subscribers: ChangeSubscriber[] = []
  let parsed = 0
  let revision = 1n
  let ready = 'False'
  const store: Pick<ResourceStore, 'follow' | 'list'> = {
    list: () => {
      calls.push('list')
      const object = { ...KEY, name: 'a', uid: 'a', revision, managedFields: [] }
      const objects = [{ ...object, body: bodyOf('a', ready) }]
      return Promise.resolve({ objects, revision, remaining: 0, hasMore: false })
    },
    follow: (_scope, after, given) => {
      calls.push(`follow ${after}`)
      subscribers.push(given)
      return Promise.resolve({ revision: after, [Symbol.dispose]: () => undefined })
    },
  }
  const change = (name: string, status: string, type: ObjectChange['type'] = 'MODIFIED') => {
    revision += 1n
    if (name === 'a') ready = status
    const body = JSON.stringify(bodyOf(name, status))
    const rest = { labels: {}, before: null }
    const entry = {
      ...KEY,
      ...rest,
      name,
      uid: name,
      sequence: revision,
      revision,
      type,
      body,
      get managedFields() {
        parsed += 1
        return '[]'
      },
    }
    for (const { onChanges } of subscribers) onChanges([entry])
  }
  return { calls, change, store, parsed: () => parsed, followers: () => subscribers.length }
}

function waitOn(store: Pick<ResourceStore, 'follow' | 'list'>) {
  return createWaitForState({
    natives: new Map(),
    convert: (objects) => Promise.resolve(objects),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a wait only lists and follows
    storeOf: () => store as ResourceStore,
  })
}

test('reads again when a change shows the state, and not before', async () => {
  const { calls, change, store, followers } = changingStore()
  const wait = async <T>(until: () => Promise<T>): Promise<T> => {
    calls.push('rest')
    const value = await until()
    calls.push('resume')
    return value
  }
  const waiting = waitOn(store)(TARGET, READY, { ...LIMITS, requester: { wait } })
  await expect.poll(followers).toBe(1)
  change('a', 'False')
  change('b', 'True')
  change('a', 'Unknown')
  // Lets a wait that has ended continue: nothing here waits for anything else.
  await setImmediate()
  expect(calls).toEqual(['list', 'rest', 'follow 1'])
  change('a', 'True')
  expect((await waiting).metadata.resourceVersion).toBe('5')
  expect(calls).toEqual(['list', 'rest', 'follow 1', 'resume', 'list'])
})

test('a change is parsed once for all requests that wait for its object', async () => {
  const { change, store, parsed, followers } = changingStore()
  const waitForState = waitOn(store)
  const waiting = [1, 2, 3].map(() => waitForState(TARGET, READY, { ...LIMITS, requester: {} }))
  await expect.poll(followers).toBe(3)
  change('a', 'False')
  expect(parsed()).toBe(1)
  change('a', 'True')
  expect(parsed()).toBe(2)
  await Promise.all(waiting)
})
