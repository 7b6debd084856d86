import { expect, test } from 'vitest'
import { createOrderedDelivery } from './ordered-delivery.ts'

test('R19: no bookmark overtakes an event that is still rendered', async () => {
  const written: (string | Buffer)[] = []
  let resolve: (text: string) => void = () => undefined
  const rendered = new Promise<string>((done) => {
    resolve = done
  })
  const delivery = createOrderedDelivery(
    {
      deliver: ({ send }) => send(),
      write: (text) => void written.push(text),
      fail: (error) => {
        throw error
      },
    },
    true,
  )
  const send = (text: string | Promise<string>, revision: bigint) =>
    delivery.send({ source: {}, size: 1, text, revision })
  send('a', 1n)
  expect(delivery.isIdle()).toBe(true)
  send(rendered, 2n)
  send('c', 3n)
  expect(delivery.isIdle()).toBe(false)
  expect(written).toEqual(['a'])
  resolve('b')
  await expect.poll(() => delivery.isIdle()).toBe(true)
  expect(written).toEqual(['a', 'b', 'c'])
})
