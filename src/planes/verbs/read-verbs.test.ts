import { expect, test } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { serveApp } from '../../http/server/fixtures.ts'
import type { ResourceStore } from '../model/resource-store.ts'
import { CONFIG_MAP } from '../admission/fixtures.ts'
import { createContinueTokens } from '../operations/reads/continue-token.ts'
import { createServeList } from './read-verbs.ts'

const TARGET = {
  plane: 'root',
  type: CONFIG_MAP,
  version: 'v1',
  namespace: 'default',
  name: '',
  subresource: '',
}

/** A store at revision 5 that reaches each revision that it is asked for, and the calls to it. */
function storeInOrder() {
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
  return { calls, store }
}

test.each(['object', 'table'] as const)(
  'a list in the shape %s waits for its resource version as the request does',
  async (shape) => {
    const { calls, store } = storeInOrder()
    const serveList = createServeList({
      clock: systemClock,
      natives: new Map(),
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a list only lists and follows
      storeOf: () => store as ResourceStore,
      admission: [],
      convert: (objects) => Promise.resolve(objects),
      continueTokens: createContinueTokens({
        key: Buffer.alloc(32),
        clock: systemClock,
        lifetimeSeconds: 60,
      }),
    })
    const wait = async <T>(until: () => Promise<T>): Promise<T> => {
      calls.push('rest')
      const value = await until()
      calls.push('resume')
      return value
    }
    await using server = await serveApp((app) => {
      app.get('/list', async (request, response) => {
        await serveList({
          request,
          response,
          query: new URLSearchParams({ resourceVersion: '7' }),
          target: TARGET,
          requester: {
            user: { name: 'ada', uid: '', groups: [], extra: {} },
            warn: () => undefined,
            wait,
          },
          representation: { encoding: 'json', shape, metaVersion: 'v1' },
          clock: systemClock,
          readBody: () => Promise.resolve(null),
        })
      })
    })
    const list: unknown = await (await fetch(`${server.url}/list`)).json()
    expect(list).toMatchObject({ metadata: { resourceVersion: '7' } })
    expect(calls).toEqual(['list', 'rest', 'follow 7', 'resume', 'list'])
  },
)
