import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { must } from 'flotilla'
import { signalWorkload } from '../instances/instance-processes.ts'
import { identifyProcess } from '../machine/process-identity.ts'
import { untilEnded } from './terminate-instance.ts'

it('ends a workload that starts after the first attempt to signal it', async () => {
  // The first process of an instance, which waits for a line before it starts the workload.
  const init = spawn('/bin/sh', ['-c', 'read -r go; sleep 1000; exit "$?"'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const pid = must(init.pid, 'the pid')
  onTestFinished(() => {
    if (init.exitCode === null) process.kill(-pid, 'SIGKILL')
  })
  const exited = once(init, 'exit')
  const instance = { init: await identifyProcess(pid) }
  const results: boolean[] = []
  const send = async (): Promise<boolean> => {
    const isSent = await signalWorkload(instance, 'SIGTERM')
    if (results.push(isSent) === 1) init.stdin.write('go\n')
    return isSent
  }
  await untilEnded(instance, { graceMs: 600_000, signal: new AbortController().signal, send })
  expect(await exited).toEqual([143, null])
  expect([results[0], results.at(-1)]).toEqual([false, true])
  expect(results.filter(Boolean)).toHaveLength(1)
})
