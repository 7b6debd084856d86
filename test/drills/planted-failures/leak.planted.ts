import { spawn } from 'node:child_process'
import { expect, it } from 'vitest'

it('forgets a program', () => {
  const program = spawn('sleep', ['987'], { detached: true, stdio: 'ignore' })
  program.unref()
  expect(program.pid).toBeGreaterThan(0)
})
