import { expect, test } from 'vitest'
import { systemClock } from '../../../lib/clock.ts'
import { CONFIG_MAP } from '../../admission/fixtures.ts'
import type { ResourceStore } from '../../model/resource-store.ts'
import { createContinueTokens } from '../reads/continue-token.ts'
import { deleteCollection } from './delete-collection.ts'

test('waits for its resource version as the request does', async () => {
  const calls: string[] = []
  let revision = 5n
  const store: Pick<ResourceStore, 'follow' | 'list'> = {
    list: () => {
      calls.push('list')
      return Promise.resolve({ objects: [], revision, remaining: 0, hasMore: false })
    },
    follow: (_scope, after) => {
      calls.push(`follow ${after}`)
      revision = after
      return Promise.resolve({ revision, [Symbol.dispose]: () => undefined })
    },
  }
  const wait = async <T>(until: () => Promise<T>): Promise<T> => {
    calls.push('rest')
    const value = await until()
    calls.push('resume')
    return value
  }
  await deleteCollection(
    {
      clock: systemClock,
      natives: new Map(),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only lists and follows
      storeOf: () => store as ResourceStore,
      admission: [],
      convert: (objects) => Promise.resolve(objects),
      continueTokens: createContinueTokens({
        key: Buffer.alloc(32),
        clock: systemClock,
        lifetimeSeconds: 60,
      }),
    },
    {
      requester: {
        user: { name: 'ada', uid: '', groups: [], extra: {} },
        warn: () => undefined,
        wait,
      },
      target: {
        plane: 'root',
        type: CONFIG_MAP,
        version: 'v1',
        namespace: 'default',
        name: '',
        subresource: '',
      },
      selection: { resourceVersion: '7' },
      options: {},
    },
  )
  expect(calls).toEqual(['list', 'rest', 'follow 7', 'resume', 'list'])
})
