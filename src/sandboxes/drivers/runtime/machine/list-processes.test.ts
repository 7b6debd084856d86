import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { killListed, listProcesses, signalProcess } from './list-processes.ts'

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

test('kills no process that has the pid of a listed one, which has ended meanwhile', async () => {
  const [member, other] = ['member', 'other'].map(() => {
    const child = spawn('/bin/sleep', ['300'], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  })
  if (member === undefined || other === undefined) throw new Error('two processes')
  await Promise.all([once(member, 'spawn'), once(other, 'spawn')])
  const exited = Promise.race(
    [member, other].map(async (each) => [await once(each, 'exit'), each.pid]),
  )
  const lists = [[member.pid, other.pid], [member.pid]]
  await killListed(async () => (lists.shift() ?? []).map((pid) => must(pid, 'the pid')))
  expect(await exited).toEqual([[null, 'SIGKILL'], member.pid])
  expect(other.kill(0)).toBe(true)
  expect(other.signalCode).toBe(null)
})
