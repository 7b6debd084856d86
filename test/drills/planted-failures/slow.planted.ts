import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'

it('takes longer than the limit', async () => {
  await sleep(1100)
  expect(1 + 1).toBe(2)
})
