import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { must } from '../src/lib/assert.ts'
import { type Block, blocksOf, expectInOrder, runSession } from './shell-session.ts'
import { startTestServer } from './test-server.ts'

const README = new URL('../README.md', import.meta.url)
const ORIGIN = 'http://127.0.0.1:8000'

/** A bash block of the tour, with the heading above it. */
type TitledBlock = Block & { readonly title: string }

/** The bash blocks of the chapter `Tour`. */
function blocksOfTour(readme: string): readonly TitledBlock[] {
  const [, after = ''] = readme.split('\n## Tour\n')
  const [tour = ''] = after.split('\n## ')
  return tour.split('\n### ').flatMap((section) => {
    const title = section.slice(0, section.indexOf('\n'))
    return blocksOf(section).map((block) => ({ title, ...block }))
  })
}

describe("the README's tour", async () => {
  const blocks = blocksOfTour(await readFile(README, 'utf8'))
  let outputs: readonly string[] = []

  beforeAll(async () => {
    await using server = await startTestServer()
    outputs = await runSession(blocks.map(({ script }) => script.replace(ORIGIN, server.origin)))
  })

  test('has its chapters', () => {
    expect(blocks.length).toBeGreaterThan(8)
    expect(blocks.filter(({ script }) => script.includes(ORIGIN))).toHaveLength(1)
    expect(blocks.filter(({ expected }) => expected.length === 0)).toEqual([])
  })

  test.each(
    blocks.map((block, index) => ({ ...block, name: `${index + 1} (${block.title})`, index })),
  )('answers as it says in block $name', ({ expected, index }) => {
    expectInOrder(must(outputs[index], 'output: an earlier block failed'), expected)
  })
})
