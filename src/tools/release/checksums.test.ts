import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeChecksums } from './checksums.ts'

it('writes checksums that sha256sum verifies', async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-checksums-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(path.join(folder, 'npm'))
  await writeFile(path.join(folder, 'npm/b.tgz'), 'b')
  await writeFile(path.join(folder, 'a'), 'a')
  expect(await writeChecksums(folder)).toBe(2)
  expect(await writeChecksums(folder)).toBe(2)
  const verify = () =>
    execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: folder, stdio: 'pipe' }).toString()
  expect(verify()).toBe('a: OK\nnpm/b.tgz: OK\n')
  await writeFile(path.join(folder, 'a'), 'c')
  expect(verify).toThrow()
})
