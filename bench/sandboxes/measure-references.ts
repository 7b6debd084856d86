import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { errorMessage } from '../../src/lib/error-message.ts'
import {
  createCgroup,
  removeCgroup,
  setFrozen,
} from '../../src/sandboxes/drivers/runtime/machine/cgroup.ts'
import {
  createCgroupRoot,
  removeCgroupRoot,
} from '../../src/sandboxes/drivers/runtime/machine/cgroup-root.ts'
import { median, MEGABYTES, timed } from './measure-strategies.ts'
import type { SandboxBench } from './sandbox-bench.ts'

const run = promisify(execFile)
const ROUNDS = { full: 5, quick: 1 }

/** The cost of tar, of signals and of the cgroup's freezer without Flotilla. */
export async function measureReferences(bench: SandboxBench): Promise<void> {
  for (const megabytes of MEGABYTES) await measureTar(bench, megabytes)
  await measureEngines(bench)
  await measureSignals(bench)
  await measureFreezer(bench)
}

async function measureTar(bench: SandboxBench, megabytes: number): Promise<void> {
  const directory = path.join(bench.directory, `tar-${megabytes}`)
  const [content, copy] = ['content', 'copy'].map((name) => path.join(directory, name))
  const archive = path.join(directory, 'archive.tar')
  await Promise.all([content, copy].map((one) => mkdir(one ?? '', { recursive: true })))
  await writeFile(path.join(content ?? '', 'data'), randomBytes(megabytes * 1_000_000))
  const creates = await repeat(bench, () => run('tar', ['-cf', archive, '-C', `${content}`, '.']))
  const extracts = await repeat(bench, () => run('tar', ['-xf', archive, '-C', `${copy}`]))
  await rm(directory, { recursive: true })
  bench.fact(`tar --create, ${megabytes} MB`, median(creates), 'ms')
  bench.fact(`tar --extract, ${megabytes} MB`, median(extracts), 'ms')
}

/** The engines of isolation classes alone: they start a program that does nothing. */
async function measureEngines(bench: SandboxBench): Promise<void> {
  const system = ['--ro-bind', '/usr', '/usr', '--symlink', 'usr/bin', '/bin']
  const libraries = ['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64']
  const bwrap = ['--unshare-all', ...system, ...libraries, '--proc', '/proc', '--', '/bin/true']
  await measureEngine(bench, 'bwrap', () => run('bwrap', bwrap))
  const root = path.join(bench.directory, 'runsc-state')
  const options = [`--root=${root}`, '--network=none', '--ignore-cgroups']
  await measureEngine(bench, 'runsc do', () => run('runsc', [...options, 'do', '/bin/true']))
  await rm(root, { recursive: true, force: true })
}

async function measureEngine(
  bench: SandboxBench,
  name: string,
  task: () => Promise<unknown>,
): Promise<void> {
  try {
    bench.fact(`${name}, a program that does nothing`, median(await repeat(bench, task)), 'ms')
  } catch (error) {
    bench.omit(name, errorMessage(error))
  }
}

async function measureSignals(bench: SandboxBench): Promise<void> {
  const child = spawn('sleep', ['3600'], { stdio: 'ignore' })
  const cycles = await repeat(bench, async () => {
    child.kill('SIGSTOP')
    child.kill('SIGCONT')
  })
  child.kill('SIGKILL')
  bench.fact('SIGSTOP and SIGCONT', median(cycles), 'ms')
}

async function measureFreezer(bench: SandboxBench): Promise<void> {
  const root = await createCgroupRoot(bench.directory)
  if (root === null) return bench.omit('cgroup.freeze', 'no writable cgroup v2')
  const cgroup = await createCgroup(root, 'reference', undefined)
  const child = spawn('sleep', ['3600'], { stdio: 'ignore' })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  await writeFile(path.join(cgroup, 'cgroup.procs'), String(child.pid))
  const freezes: number[] = []
  const thaws: number[] = []
  for (let round = 0; round < rounds(bench); round += 1) {
    freezes.push(await timed(() => setFrozen(cgroup, true)))
    thaws.push(await timed(() => setFrozen(cgroup, false)))
  }
  child.kill('SIGKILL')
  await exited
  await removeCgroup(root, cgroup)
  await removeCgroupRoot(root)
  bench.fact('cgroup.freeze, freeze', median(freezes), 'ms')
  bench.fact('cgroup.freeze, thaw', median(thaws), 'ms')
}

async function repeat(bench: SandboxBench, task: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds(bench); round += 1) times.push(await timed(task))
  return times
}

function rounds({ isQuick }: SandboxBench): number {
  return isQuick ? ROUNDS.quick : ROUNDS.full
}
