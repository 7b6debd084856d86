import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { must } from '../src/lib/assert.ts'
import { blocksOf, expectInOrder, runSession } from './shell-session.ts'
import { startTestServer } from './test-server.ts'

const PAGE = new URL('../docs/snapshot.md', import.meta.url)
const ORIGIN = 'http://127.0.0.1:8000'

describe('the examples of docs/snapshot.md', async () => {
  const blocks = blocksOf(await readFile(PAGE, 'utf8'))
  let outputs: readonly string[] = []

  beforeAll(async () => {
    await using server = await startTestServer()
    outputs = await runSession(blocks.map(({ script }) => script.replace(ORIGIN, server.origin)))
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
