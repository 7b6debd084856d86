import { expect, it } from 'vitest'
import { formatFence, parseFence } from './write-fence-header.ts'

it('reads the header that it writes', () => {
  const fence = { namespace: 'kube-system', name: 'controllers', uid: 'a-b', number: 7 }
  expect(parseFence(formatFence(fence))).toEqual(fence)
})

it.each(['', 'a', 'a/b', 'a/b;uid=;number=1', 'a/b;uid=x;number=-1', 'a/b/c;uid=x;number=1'])(
  'rejects %j',
  (value) => expect(parseFence(value)).toBeNull(),
)
