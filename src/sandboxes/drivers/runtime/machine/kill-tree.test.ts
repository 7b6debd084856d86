import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { must } from 'flotilla'
import { expect, it } from 'vitest'
import { killTree } from './kill-tree.ts'

/** Starts a shell in a separate session. Its output ends with its last process. */
function start(script: string): ChildProcess & { readonly pid: number } {
  const child = spawn('/bin/sh', ['-c', script], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return Object.assign(child, { pid: must(child.pid, 'the pid') })
}

it('leaves another process that has the pid of one that has ended', async () => {
  const other = start('exec sleep 4731')
  const exited = once(other, 'exit')
  await killTree(other.pid, () => false)
  process.kill(other.pid, 'SIGTERM')
  expect(await exited).toEqual([null, 'SIGTERM'])
})

it('kills a process, and those that have left its group', async () => {
  const child = start('setsid sleep 4732 & echo started; exec sleep 4733')
  const closed = once(child, 'close')
  await once(must(child.stdout, 'the output'), 'data')
  await killTree(child.pid, () => true)
  expect(await closed).toEqual([null, 'SIGKILL'])
})

it('kills the rest of the group of a process that has ended', async () => {
  const child = start('sleep 4734 & exit 3')
  const closed = once(child, 'close')
  await once(child, 'exit')
  await killTree(child.pid, () => false)
  expect(await closed).toEqual([3, null])
})
