import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openFenceStore } from './reference/fence-store.ts'

let directory: string

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-fences-'))
})
afterEach(() => rm(directory, { recursive: true }))

describe('fence store', () => {
  it('admits equal and rising fences and rejects lower ones, also after a restart', async () => {
    const fences = await openFenceStore(directory)
    await fences.admit('a', 3n)
    await fences.admit('a', 3n)
    await fences.admit('a', 5n)

    const stale = { code: 'FAILED_PRECONDITION', reason: 'StaleFence' }
    await expect(fences.admit('a', 4n)).rejects.toMatchObject(stale)
    await expect((await openFenceStore(directory)).admit('a', 4n)).rejects.toMatchObject(stale)
  })

  it('keeps the highest of concurrent fences', async () => {
    const fences = await openFenceStore(directory)
    await Promise.allSettled([9n, 2n, 7n, 8n].map((fence) => fences.admit('a', fence)))

    expect(await fences.highest('a')).toBe(9n)
  })

  it('separates sandboxes and accepts any text as their uid', async () => {
    const fences = await openFenceStore(directory)
    await fences.admit('../evil', 9n)
    await fences.admit('b', 1n)

    expect([await fences.highest('../evil'), await fences.highest('b')]).toEqual([9n, 1n])
  })

  it('forgets deleted sandboxes', async () => {
    const fences = await openFenceStore(directory)
    await fences.admit('a', 9n)
    await fences.forget('a')

    expect(await fences.highest('a')).toBe(0n)
  })
})
