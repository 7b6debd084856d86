import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Machine, thisMachine, workerCount } from './worker-count.ts'

const GIB = 1024 ** 3
const LARGE: Machine = { cores: 64, memoryBytes: 64 * GIB }

test.each([
  ['fewer than four cores', { cores: 3, memoryBytes: 64 * GIB }, 0],
  ['four cores', { cores: 4, memoryBytes: 64 * GIB }, 2],
  ['many cores', LARGE, 8],
  ['memory for three processes', { cores: 64, memoryBytes: 1.2 * GIB }, 2],
  ['memory for two processes', { cores: 64, memoryBytes: GIB }, 0],
])('auto with %s', (_name, machine, count) => {
  expect(workerCount({ workers: 'auto', role: 'all' }, () => machine)).toBe(count)
})

test('a number is taken as it is, except without an API', () => {
  expect(workerCount({ workers: 1, role: 'api' }, () => LARGE)).toBe(1)
  expect(workerCount({ workers: 0, role: 'all' }, () => LARGE)).toBe(0)
  expect(workerCount({ workers: 4, role: 'controllers' }, () => LARGE)).toBe(0)
})

test.each([
  ['cpu.max', '150000 100000\n', 1],
  ['cpu.max', '50000 100000\n', 1],
  ['cpu/cpu.cfs_quota_us', '100000\n', 1],
])('counts the cores of a control group with %s %j', (file, text, cores) => {
  const groups = groupsWith({ [file]: text, 'cpu/cpu.cfs_period_us': '100000\n' })
  expect(thisMachine(groups).cores).toBe(cores)
})

test.each([
  ['cpu.max', 'max 100000\n'],
  ['cpu/cpu.cfs_quota_us', '-1\n'],
])('counts all cores with %s %j', (file, text) => {
  const groups = groupsWith({ [file]: text, 'cpu/cpu.cfs_period_us': '100000\n' })
  expect(thisMachine(groups).cores).toBe(os.availableParallelism())
})

function groupsWith(files: Readonly<Record<string, string>>): string {
  const groups = mkdtempSync(path.join(os.tmpdir(), 'flotilla-groups-'))
  onTestFinished(() => rmSync(groups, { recursive: true }))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(groups, file)), { recursive: true })
    writeFileSync(path.join(groups, file), text)
  }
  return groups
}
