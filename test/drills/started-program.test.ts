import { expect, it } from 'vitest'
import { startProgram } from './started-program.ts'

const start = (script: string) =>
  startProgram('sh', ['-c', script], { cwd: '/', env: { PATH: process.env['PATH'] } })

it('ends the programs that outlive the one that was started', async () => {
  const started = start('sleep 6123 & echo begun; exit 3')
  await started.match(/begun/)
  await expect(started.match(/never/)).rejects.toThrow('sh ended:\nbegun')
  await started[Symbol.asyncDispose]()
  expect(await started.interrupt()).toBe(3)
})
