import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { instanceCommand, shimCommand, shimDirectory } from './shim-command.ts'

it('an instance starts no program before its workload, which would get its signals', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'shim-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const file = (name: string) => path.join(directory, name)
  await mkdir(file('workspace'))
  await writeFile(file('environment'), '')
  const files = {
    pidFile: file('pid'),
    joinFiles: [],
    environmentFile: file('environment'),
    workspace: file('workspace'),
    workingDirectory: file('workspace'),
  }
  const isolation = {
    programs: {},
    isRoot: false,
    user: null,
    limits: undefined,
    controllers: [],
    maxFiles: 1024,
    mark: null,
    restoresMemory: false,
  }
  const workload = ['/bin/sh', '-c', 'echo "$PPID"; exit 7']
  const [program = '', ...parameters] = instanceCommand(files, isolation, workload)
  // The shells find no program there.
  const env = { PATH: file('workspace') }
  const { status, stdout, stderr } = spawnSync(program, parameters, {
    env,
    encoding: 'utf8',
    // 'ignore' would leave descriptor 3 closed.
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  expect({ status, stderr }).toEqual({ status: 7, stderr: '' })
  expect(await readFile(files.pidFile, 'utf8')).toBe(stdout)
})

it('only the arguments of a shim have its directory', () => {
  const directory = '/sandboxes/uid/run/one'
  expect(shimDirectory(shimCommand(directory, ['true']))).toBe(directory)
  const others = [
    ['inotifywait', '-m', '-r', directory],
    ['/bin/sh', 'script', '-c', directory],
    // A relative path could mean any directory.
    ['/bin/sh', '-c', 'exec "$@"', 'uid/run/one'],
    ['/bin/sh', '-c', 'exec "$@"', ''],
    ['/bin/sh', '-c', 'true'],
  ]
  expect(others.map(shimDirectory)).toEqual(others.map(() => null))
})
