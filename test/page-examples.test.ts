import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { must } from '../src/lib/assert.ts'
import { blocksOf, expectInOrder, runSession } from './shell-session.ts'
import { startTestServer } from './test-server.ts'

const ORIGIN = 'http://127.0.0.1:8000'

describe.each(['watch', 'snapshot'])('the examples of docs/%s.md', async (page) => {
  const text = await readFile(new URL(`../docs/${page}.md`, import.meta.url), 'utf8')
  const blocks = blocksOf(text)
  let outputs: readonly string[] = []

  beforeAll(async () => {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-page-'))
    await using server = await startTestServer()
    const scripts = blocks.map(({ script }) => script.replace(ORIGIN, server.origin))
    const [first = '', ...rest] = scripts
    outputs = await runSession([`cd ${directory}\n${first}`, ...rest])
    await rm(directory, { recursive: true })
  })

  test('are there, and say what they print', () => {
    expect(blocks.length).toBeGreaterThan(4)
    expect(blocks.filter(({ expected }) => expected.length === 0)).toEqual([])
  })

  test.each(blocks.map((block, index) => ({ ...block, index })))(
    'print what block $index says',
    ({ expected, index }) => {
      expectInOrder(must(outputs[index], 'output: an earlier block failed'), expected)
    },
  )
})
