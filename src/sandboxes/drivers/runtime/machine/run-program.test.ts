import { expect, it } from 'vitest'
import { runProgram } from './run-program.ts'

it('returns the output of programs that end together', async () => {
  const numbers = Array.from({ length: 200 }, (_, index) => `${index}`)
  const results = await Promise.all(
    numbers.map((number) => runProgram(['/bin/echo', number], { timeoutMs: 60_000 })),
  )
  expect(results.map(({ output }) => output.trim())).toEqual(numbers)
})

it('does not wait for descendants that keep the output open', async () => {
  const command = ['/bin/sh', '-c', 'sleep 1000 & echo $!']
  const { code, output } = await runProgram(command, { timeoutMs: 60_000 })
  process.kill(Number(output), 'SIGKILL')
  expect(code).toBe(0)
})
