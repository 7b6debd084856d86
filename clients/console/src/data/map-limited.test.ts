import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { mapLimited } from './map-limited.ts'

test('maps all items in order, of which a limited number is pending', async () => {
  let pending = 0
  let most = 0
  const doubled = await mapLimited([3, 1, 2, 0], 2, async (turns) => {
    pending += 1
    most = Math.max(most, pending)
    for (let passed = 0; passed < turns; passed += 1) await turn()
    pending -= 1
    return turns * 2
  })
  expect(doubled).toEqual([6, 2, 4, 0])
  expect(most).toBe(2)
})

test('rejects with the first error', async () => {
  const failing = mapLimited(['a', 'b'], 2, (item) => Promise.reject(new Error(item)))
  await expect(failing).rejects.toThrow('a')
})
