import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changedFiles } from './changed-files.ts'

const run = promisify(execFile)
const hasGit = await run('git', ['--version']).then(
  () => true,
  () => false,
)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-changed-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const git = (...args: string[]) =>
  run('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
const write = (file: string) => writeFile(path.join(folder, file), `${file} ${Math.random()}`)

async function commit(...files: string[]): Promise<void> {
  for (const file of files) await write(file)
  await git('add', '--all')
  await git('commit', '--quiet', '--message', 'a')
}

test.skipIf(!hasGit)('lists committed, uncommitted, untracked and removed files', async () => {
  await git('init', '--quiet', '--initial-branch', 'main')
  await commit('kept', 'edited', 'staged', 'removed', '.gitignore')
  await git('checkout', '--quiet', '-b', 'change')
  await commit('committed')
  await git('checkout', '--quiet', 'main')
  await commit('of-others')
  await git('checkout', '--quiet', 'change')
  await write('edited')
  await write('staged')
  await git('add', 'staged')
  await git('rm', '--quiet', 'removed')
  await mkdir(path.join(folder, 'new folder'))
  await write('new folder/é')
  const files = ['committed', 'edited', 'new folder/é', 'removed', 'staged']
  expect(await changedFiles(folder)).toEqual({ branch: 'main', files })
})

test.skipIf(!hasGit)('gives a reason if there is no main branch', async () => {
  await git('init', '--quiet', '--initial-branch', 'other')
  await commit('a')
  expect(await changedFiles(folder)).toMatch(/^none of the branches .*main/)
})

test.skipIf(!hasGit)('gives a reason in a folder of another repository', async () => {
  await git('init', '--quiet', '--initial-branch', 'main')
  await commit('a')
  await mkdir(path.join(folder, 'nested'))
  const reason = 'this folder is not the root of its repository'
  expect(await changedFiles(path.join(folder, 'nested'))).toBe(reason)
})

test('gives a reason without git or without a repository', async () => {
  const reason = 'git is missing, or this folder is not a repository'
  expect(await changedFiles(folder)).toBe(reason)
})
