import { expect, test } from 'vitest'
import { CONFIG_MAP } from '../../admission/fixtures.ts'
import { storeInOrder } from '../reads/fixtures.ts'
import { deleteCollection } from './delete-collection.ts'

test('waits for its resource version as the request does', async () => {
  const { calls, context, wait } = storeInOrder()
  const target = {
    plane: 'root',
    type: CONFIG_MAP,
    version: 'v1',
    namespace: 'default',
    name: '',
    subresource: '',
  }
  const user = { name: 'ada', uid: '', groups: [], extra: {} }
  const requester = { user, warn: () => undefined, wait }
  const selection = { resourceVersion: '7' }
  await deleteCollection(context, { requester, target, selection, options: {} })
  expect(calls).toEqual(['list', 'rest', 'follow 7', 'resume', 'list'])
})
