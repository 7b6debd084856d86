import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { runCases, runConcurrently, Skipped } from './drill.ts'

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

it('runConcurrently starts all cases before one ends', async () => {
  const started: string[] = []
  const meetOthers = (name: string) => async (): Promise<void> => {
    started.push(name)
    await Promise.resolve()
    expect(started).toEqual(['first', 'second'])
  }
  const lines: string[] = []
  const cases = [
    { name: 'first', run: meetOthers('first') },
    { name: 'second', run: meetOthers('second') },
    { name: 'third', run: () => Promise.reject(new Error('broken')) },
  ]
  const result = await runConcurrently(cases, (line) => lines.push(line))
  expect(result).toEqual({ passed: 2, failed: 1, skipped: 0 })
  expect(lines).toHaveLength(3)
})

it('a drill names each drill file', async () => {
  const root = new URL('../../', import.meta.url)
  const below = async (folder: string): Promise<readonly string[]> =>
    (await readdir(new URL(folder, root), { recursive: true })).map((name) => folder + name)
  const sources = (await below('test/drills/')).filter((name) => name.endsWith('.ts'))
  const texts = await Promise.all(sources.map((name) => readFile(new URL(name, root), 'utf8')))
  const unnamed = (await below('test/')).filter(
    (name) => name.endsWith('.drill.ts') && !texts.some((text) => text.includes(`'${name}'`)),
  )
  expect(unnamed).toEqual([])
})
