import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Installation } from '../../protocol/installation.ts'
import { type InstallationBinding, openInstallationBinding } from './installation-binding.ts'

const OURS: Installation = { id: 'ours', database: '7001/1/16384' }
const AFTER_FAILOVER: Installation = { id: 'ours', database: '7001/2/16384' }
const COPY: Installation = { id: 'ours', database: '7001/1/16500' }
const THEIRS: Installation = { id: 'theirs', database: '7001/1/16384' }

let directory: string
let now: number
let owners: Set<string>

beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), 'binding-'))
  now = 1000
  owners = new Set(['ours'])
})
afterEach(() => rm(directory, { recursive: true }))

const open = (): Promise<InstallationBinding> =>
  openInstallationBinding({
    directory,
    hasSandboxes: (installation) => owners.has(installation),
    now: () => now,
    log: { info() {}, warn() {} },
  })

/** A binding of a runtime that OURS has just called. */
async function bound(): Promise<InstallationBinding> {
  const binding = await open()
  using _call = await binding.begin(OURS)
  return binding
}

it('belongs to the first caller, and stores it', async () => {
  const binding = await bound()
  expect(await readFile(path.join(directory, 'installation'), 'utf8')).toBe('ours 7001/1/16384\n')
  await expect(binding.begin(THEIRS)).rejects.toMatchObject({
    code: 'FAILED_PRECONDITION',
    reason: 'OtherInstallation',
    message: expect.stringContaining('the installation ours uses this runtime'),
  })
  expect(await binding.refusalOf(COPY)).toContain('separate-a-copy')
  expect(await binding.refusalOf(OURS)).toBeNull()
})

it('answers for the ID of an installation, and changes nothing', async () => {
  expect(await (await open()).refusalOfId('theirs')).toBeNull()
  const binding = await bound()
  expect(await binding.refusalOfId('ours')).toBeNull()
  expect(await binding.refusalOfId('theirs')).toContain('the installation ours uses this runtime')
  now += 10_000
  expect(await binding.refusalOfId('theirs')).toBeNull()
  expect(await readFile(path.join(directory, 'installation'), 'utf8')).toBe('ours 7001/1/16384\n')
})

it('changes hands 10 s after the last call', async () => {
  const binding = await bound()
  now += 9999
  expect(await binding.refusalOf(COPY)).not.toBeNull()
  now += 1
  expect(await binding.refusalOf(COPY)).toBeNull()
  expect(await binding.refusalOf(OURS)).toContain('another database')
})

it('does not change hands between the admission of a call and its begin', async () => {
  owners.clear()
  const binding = await open()
  const [ours, theirs] = await Promise.allSettled([binding.begin(OURS), binding.begin(THEIRS)])
  expect([ours.status, theirs.status]).toEqual(['fulfilled', 'rejected'])
})

it('does not change hands while a call runs, and 10 s after it', async () => {
  const binding = await bound()
  const watch = await binding.begin(OURS)
  now += 60_000
  expect(await binding.refusalOf(THEIRS)).not.toBeNull()
  watch[Symbol.dispose]()
  expect(await binding.refusalOf(THEIRS)).not.toBeNull()
  now += 10_000
  expect(await binding.refusalOf(THEIRS)).toBeNull()
})

it('changes hands without a pause if its installation has no sandboxes and no running call', async () => {
  const binding = await bound()
  owners.clear()
  const watch = await binding.begin(OURS)
  expect(await binding.refusalOf(THEIRS)).not.toBeNull()
  watch[Symbol.dispose]()
  expect(await binding.refusalOf(THEIRS)).toBeNull()
})

it('follows a failover of its database, and rejects the former primary', async () => {
  const binding = await bound()
  using _watch = await binding.begin(OURS)
  expect(await binding.refusalOf(AFTER_FAILOVER)).toBeNull()
  expect(await binding.refusalOf(OURS)).not.toBeNull()
  expect(await binding.refusalOf({ ...AFTER_FAILOVER, id: 'theirs' })).not.toBeNull()
})

it('gives the stored installation 10 s to call after a restart', async () => {
  await bound()
  const restarted = await open()
  expect(await restarted.refusalOf(THEIRS)).not.toBeNull()
  now += 10_000
  expect(await restarted.refusalOf(THEIRS)).toBeNull()
  expect(await readFile(path.join(directory, 'installation'), 'utf8')).toBe('theirs 7001/1/16384\n')
})

it('serves callers of earlier versions, which name no installation', async () => {
  const binding = await bound()
  using _call = await binding.begin(null)
  expect(await binding.refusalOf(OURS)).toBeNull()
})

it('gives the runtime to one of several callers that arrive together', async () => {
  const binding = await open()
  const others = ['a', 'b', 'c'].map((id) => ({ ...THEIRS, id }))
  owners = new Set(['a', 'b', 'c'])
  const refusals = await Promise.all(others.map((each) => binding.refusalOf(each)))
  expect(refusals.filter((refusal) => refusal === null)).toHaveLength(1)
})

it('begins again if the stored text is no installation', async () => {
  await writeFile(path.join(directory, 'installation'), 'ours')
  expect(await (await open()).refusalOf(THEIRS)).toBeNull()
})
