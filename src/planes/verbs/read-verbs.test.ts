import { expect, test } from 'vitest'
import { systemClock } from '../../lib/clock.ts'
import { serveApp } from '../../http/server/fixtures.ts'
import { CONFIG_MAP } from '../admission/fixtures.ts'
import { storeInOrder } from '../operations/reads/fixtures.ts'
import { createServeList } from './read-verbs.ts'

const TARGET = {
  plane: 'root',
  type: CONFIG_MAP,
  version: 'v1',
  namespace: 'default',
  name: '',
  subresource: '',
}

test.each(['object', 'table'] as const)(
  'a list in the shape %s waits for its resource version as the request does',
  async (shape) => {
    const { calls, context, wait } = storeInOrder()
    const serveList = createServeList(context)
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
