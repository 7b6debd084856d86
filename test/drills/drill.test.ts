import { expect, it } from 'vitest'
import { runCases, Skipped } from './drill.ts'

it('runCases reports every case, including those after a failure', async () => {
  const lines: string[] = []
  const result = await runCases(
    [
      { name: 'first', run: () => Promise.reject(new Error('broken')) },
      { name: 'second', run: () => Promise.reject(new Skipped('no compiler')) },
      { name: 'third', run: () => Promise.resolve() },
    ],
    (line) => lines.push(line),
  )
  expect(result).toEqual({ passed: 1, failed: 1, skipped: 1 })
  expect(lines[0]).toMatch(/^first +failed \(\d+ s\)\nError: broken/)
  expect(lines[1]).toMatch(/^second +skipped \(\d+ s\): no compiler$/)
  expect(lines[2]).toMatch(/^third +passed/)
})
