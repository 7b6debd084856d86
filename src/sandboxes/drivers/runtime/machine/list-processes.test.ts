import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { listProcesses, signalProcess } from './list-processes.ts'

test('a signal reaches the listed process, and no other one that has its pid', async () => {
  const child = spawn('/bin/sleep', ['300'], { stdio: 'ignore' })
  await once(child, 'spawn')
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const rows = await listProcesses()
  const row = must(
    rows.find(({ pid }) => pid === child.pid),
    'the process',
  )
  expect(row.start).toMatch(/^[0-9]+$/)
  signalProcess({ ...row, start: `${Number(row.start) - 1}` }, 'SIGKILL')
  signalProcess(row, 'SIGTERM')
  expect(await exited).toEqual([null, 'SIGTERM'])
})
