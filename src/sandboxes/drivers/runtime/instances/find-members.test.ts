import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { findProgram } from '../machine/find-programs.ts'
import { listProcesses, type ProcessRow } from '../machine/list-processes.ts'
import { markOf, processMark } from '../machine/process-mark.ts'
import { createMemberFinder } from './find-members.ts'

/** A process of an instance, which has left the session of its first process. */
async function strayProcess(id: string, uid = 'sandbox'): Promise<number> {
  const env = { SANDBOX_INSTANCE_ID: id, SANDBOX_UID: uid }
  const child = spawn('/bin/sleep', ['300'], { env, detached: true, stdio: 'ignore' })
  await once(child, 'spawn')
  onTestFinished(() => void child.kill('SIGKILL'))
  return must(child.pid, 'the pid')
}

const pidsOf = (rows: readonly ProcessRow[]) => rows.map(({ pid }) => pid)

test('many instances that end together share the passes over all processes', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `instance-${process.pid}-${index}`)
  const pids = await Promise.all(ids.slice(0, 3).map((id) => strayProcess(id)))
  let passes = 0
  const find = createMemberFinder(() => {
    passes += 1
    return listProcesses()
  })
  const found = await Promise.all(ids.map((id) => find({ id, init: null })))
  expect(found.slice(0, 4).map(pidsOf)).toEqual([...pids.map((pid) => [pid]), []])
  expect(passes).toBe(1)
  // A later call sees later processes.
  const late = `late-${process.pid}`
  const later = await strayProcess(late)
  expect(pidsOf(await find({ id: late, init: null }))).toEqual([later])
})

test('instances of other sandboxes with the same id are not members', async () => {
  const id = `same-${process.pid}`
  const [own, other] = [await strayProcess(id, 'own'), await strayProcess(id, 'other')]
  const find = createMemberFinder(listProcesses)
  expect(pidsOf(await find({ id, init: null, sandboxUid: 'own' }))).toEqual([own])
  // Records of earlier versions do not name the sandbox.
  expect(new Set(pidsOf(await find({ id, init: null })))).toEqual(new Set([own, other]))
})

test('a process with the mark of an instance is a member without its variables', async () => {
  const id = `marked-${process.pid}`
  const mark = processMark('sandbox', id)
  const command = [`--locks=${mark}:${mark}`, '/bin/sleep', '300']
  const program = must(await findProgram('prlimit'), 'prlimit')
  const child = spawn(program, command, { env: {}, stdio: 'ignore' })
  await once(child, 'spawn')
  onTestFinished(() => void child.kill('SIGKILL'))
  const pid = must(child.pid, 'the pid')
  await expect.poll(() => markOf(pid)).toBe(mark)
  const find = createMemberFinder(listProcesses)
  expect(pidsOf(await find({ id, init: null, sandboxUid: 'sandbox' }))).toEqual([pid])
  expect(await find({ id, init: null, sandboxUid: 'other' })).toEqual([])
})
