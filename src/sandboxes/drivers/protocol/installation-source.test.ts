import { expect, it } from 'vitest'
import { createInstallationSource } from './installation-source.ts'

const at = (timeline: number) => ({ id: 'ours', database: `7001/${timeline}/16384` })

it('reads the installation again after some seconds, after forget, and until there is one', async () => {
  let now = 0
  let reads = 0
  const answers = [null, at(1), at(2), at(3)]
  const source = createInstallationSource(
    () => Promise.resolve(answers[reads++] ?? null),
    () => now,
  )
  expect(await source.current()).toBeNull()
  expect(await Promise.all([source.current(), source.current()])).toEqual([at(1), at(1)])
  now += 4999
  expect(await source.current()).toEqual(at(1))
  now += 1
  expect(await source.current()).toEqual(at(2))
  source.forget()
  expect(await source.current()).toEqual(at(3))
  expect(reads).toBe(4)
})

it('keeps the last installation while the database does not answer', async () => {
  let isDown = true
  const source = createInstallationSource(
    () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(at(1))),
    () => 0,
  )
  await expect(source.current()).rejects.toThrow('down')
  isDown = false
  expect(await source.current()).toEqual(at(1))
  isDown = true
  source.forget()
  expect(await source.current()).toEqual(at(1))
})
