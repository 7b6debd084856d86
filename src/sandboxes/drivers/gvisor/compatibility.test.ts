import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findIncompatibility } from '../criu/compatibility.ts'
import { readGvisorFacts, systemDigest } from './compatibility.ts'
import { createGvisorMemory } from './gvisor-memory.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'system-'))
})
afterAll(() => rm(directory, { recursive: true }))

it('changes with the names, sizes and times of the system files', async () => {
  const file = path.join(directory, 'library')
  const seen = new Set<string>()
  const change = async (task: () => Promise<void>): Promise<void> => {
    await task()
    seen.add(await systemDigest([directory, path.join(directory, 'missing')]))
  }
  await change(async () => undefined)
  await change(() => writeFile(file, 'one'))
  await change(() => utimes(file, 1, 1))
  await change(async () => {
    await writeFile(file, 'three')
    await utimes(file, 1, 1)
  })
  expect(seen.size).toBe(4)
  expect(seen).toContain(await systemDigest([directory, path.join(directory, 'missing')]))
})

it('names the first fact that differs', async () => {
  const facts = await readGvisorFacts({ version: '1', platform: 'ptrace' })
  expect(findIncompatibility(facts, facts)).toBeNull()
  expect(findIncompatibility({ ...facts, runsc: '2' }, facts)).toBe(
    'the snapshot needs runsc "2", this machine has "1"',
  )
  expect(findIncompatibility({ ...facts, platform: 'systrap' }, facts)).toContain('platform')
  expect(findIncompatibility({ ...facts, system: 'other' }, facts)).toContain('system')
})

it('names the reason if the class is not offered', () => {
  const memory = createGvisorMemory({ unavailable: 'runsc is missing', available: null })
  expect(memory.incompatibility({}, '')).toBe('runsc is missing')
})

it('restores memory only in the image that it was taken in', async () => {
  const facts = await readGvisorFacts({ version: '1', platform: 'ptrace' })
  const engine = { program: 'runsc', version: '1', platform: 'ptrace', stateRoot: '/' } as const
  const memory = createGvisorMemory({ unavailable: '', available: { engine, facts } })
  const recorded = memory.compatibility('sha256:a')
  expect(memory.incompatibility(recorded, 'sha256:a')).toBeNull()
  expect(memory.incompatibility({ ...recorded, system: 'other' }, 'sha256:a')).toBeNull()
  expect(memory.incompatibility(recorded, 'sha256:b')).toBe(
    'the snapshot was taken in the image sha256:a, and the sandbox starts in the image sha256:b',
  )
  expect(memory.incompatibility(recorded, '')).toContain('starts in no image')
  expect(memory.incompatibility(memory.compatibility(''), 'sha256:a')).toContain('in no image')
})
