import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { hasProcessEnded, leaderIdentity } from './leader-identity.ts'

const MODULE = fileURLToPath(new URL('leader-identity.ts', import.meta.url))
const PROGRAM = `
  import { leaderIdentity } from ${JSON.stringify(MODULE)}
  console.log(await leaderIdentity())
  setInterval(() => undefined, 1000)`

it('notices that the process of an identity has ended, and not before', async () => {
  const arguments_ = ['--import', 'tsx', '--input-type=module', '--eval', PROGRAM]
  const child = spawn(process.execPath, arguments_, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const [line] = await once(child.stdout.setEncoding('utf8'), 'data')
  const identity = String(line).trim()
  expect(identity).toContain(`_${child.pid}_`)
  expect(await hasProcessEnded(identity)).toBe(false)
  child.kill('SIGKILL')
  await exited
  expect(await hasProcessEnded(identity)).toBe(true)
})

it('notices a later process with the same id', async () => {
  const identity = await leaderIdentity()
  expect(await hasProcessEnded(identity)).toBe(false)
  expect(await hasProcessEnded(identity.replace(/\.\d+_/, '.1_'))).toBe(true)
})

it.each([
  ['of another machine or container', 'web_1_0123456789abcdef.77_'],
  ['of an older version', 'web_1_'],
])('never decides about a process %s', async (_case, prefix) => {
  const identity = `${prefix}6f9619ff-8b86-4d01-b42d-00cf4fc964ff`
  expect(await hasProcessEnded(identity)).toBe(false)
})
