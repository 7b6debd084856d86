import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { runtimeSandbox } from '../support/runtime-sandbox.ts'
import { startSandboxd } from '../support/start-sandboxd.ts'

const IS_ROOT = process.getuid?.() === 0

it.runIf(IS_ROOT)('keeps the files of sandboxes apart if root runs them', async () => {
  await using sandboxd = await startSandboxd()
  const [first, second] = [1, 2].map(() => runtimeSandbox(() => sandboxd.connection))
  if (!first || !second) throw new Error('two sandboxes')
  await first.start('one', 'echo secret >file; sleep 60')
  await second.start('one', 'sleep 60')
  const directory = path.join(sandboxd.directory, 'sandboxes', first.key.uid)
  await expect.poll(async () => (await first.exec('cat file')).stdout).toBe('secret\n')
  const attempts = ['workspace/file', 'run/one/environment', 'run/one/output.log']
  for (const file of attempts) {
    const { stdout, stderr } = await second.exec(`cat ${path.join(directory, file)}`)
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: expect.stringContaining('Permission denied'),
    })
  }
  const listing = await second.exec(`ls ${path.dirname(directory)}; ls ${sandboxd.directory}`)
  expect(listing.stdout).not.toContain(first.key.uid)
  const { stdout } = await second.exec(
    'id -u; id -G; grep -E "^Cap(Prm|Eff|Bnd|Amb)" /proc/self/status',
  )
  const [uid, groups, ...capabilities] = stdout.trim().split('\n')
  expect(Number(uid)).toBeGreaterThan(1_000_000_000)
  expect(groups).toBe(uid)
  expect(new Set(capabilities.map((line) => line.split('\t')[1]))).toEqual(
    new Set(['0000000000000000']),
  )
  expect((await second.exec('kill -9 1; echo $?')).stdout).not.toBe('')
  expect((await first.get()).state).toBe('Running')
})

it.runIf(IS_ROOT)('works in a directory that other users cannot enter', async () => {
  const parent = await realpath(await mkdtemp(path.join(os.tmpdir(), 'closed-')))
  await chmod(parent, 0o700)
  const directory = path.join(parent, 'sandboxd')
  await using sandboxd = await startSandboxd({ directory })
  const box = runtimeSandbox(() => sandboxd.connection)
  await box.start('one', 'pwd')
  await box.reaches('Exited')
  const real = await realpath(path.join(directory, 'sandboxes'))
  expect(real).toMatch(/^\/var\/lib\/flotilla\/sandboxd\//)
  expect(await box.logs()).toBe(`${real}/${box.key.uid}/workspace\n`)
  await sandboxd.connection.runtime.remove({ sandbox: box.key, fence: 1n })
  await rm(real, { recursive: true, force: true })
  await rm(parent, { recursive: true, force: true })
})

it('loads neither Express nor Prisma nor the database', async () => {
  const packages = await packagesOf(path.resolve('src/sandboxes/sandboxd/sandboxd.ts'), new Set())
  expect(packages).toContain('@connectrpc/connect-node')
  const forbidden = /^(express|@prisma|prisma|pg|sql-template-tag)/
  expect([...packages].filter((name) => forbidden.test(name))).toEqual([])
})

/** The packages that a module and the modules that it imports load. */
async function packagesOf(file: string, seen: Set<string>): Promise<ReadonlySet<string>> {
  const packages = new Set<string>()
  if (seen.has(file)) return packages
  seen.add(file)
  const text = (await readFile(file, 'utf8')).replaceAll(/^(import|export) type [^']*'[^']*'/gm, '')
  for (const [, name = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g)) {
    if (!name.startsWith('.')) packages.add(name)
    else {
      for (const each of await packagesOf(path.resolve(path.dirname(file), name), seen)) {
        packages.add(each)
      }
    }
  }
  return packages
}
