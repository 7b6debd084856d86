import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { listProcesses } from '../machine/list-processes.ts'
import { identifyProcess } from '../machine/process-identity.ts'
import { continueInstance, killInstance, stopInstance } from './instance-processes.ts'

/**
 * Writes its pid, leaves the session and the parent, and appends to a file until it ends. It starts
 * programs all the time, so it is often in `vfork` if the shell uses that.
 */
const DAEMON =
  'setsid sh -c "echo \\$\\$ >pid; while :; do echo x; /bin/true; done >>lines" & exec sleep 300'
const REPEATS = 20

test('stops and continues the processes of an instance that have left its group', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'instance-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const id = `stopped-${process.pid}`
  const env = { PATH: '/usr/bin:/bin', SANDBOX_INSTANCE_ID: id, SANDBOX_UID: 'sandbox' }
  const options = { cwd: directory, env, detached: true, stdio: 'ignore' } as const
  const child = spawn('/bin/sh', ['-c', DAEMON], options)
  const instance = {
    id,
    sandboxUid: 'sandbox',
    init: await identifyProcess(must(child.pid, 'a pid')),
  }
  onTestFinished(() => killInstance({ ...instance, cgroup: null }))
  const contentOf = (name: string) => readFile(path.join(directory, name), 'utf8').catch(() => '')
  await expect.poll(() => contentOf('lines')).not.toBe('')
  const daemon = Number(await contentOf('pid'))
  const isStopped = async () => (await listProcesses()).find(({ pid }) => pid === daemon)?.isStopped
  expect(await isStopped()).toBe(false)

  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    await stopInstance(instance)
    expect(await isStopped()).toBe(true)
    const lines = await contentOf('lines')

    await continueInstance(instance)
    await expect.poll(() => contentOf('lines')).not.toBe(lines)
  }
})
