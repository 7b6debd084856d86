import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadKindsFile } from '../../src/hyperfleet/configured-kinds/load-kinds-file.ts'
import { kinds as builtIn } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import { type Page, pagesWithExamples, programsOf, writeShownFiles } from './documentation-pages.ts'
import { expectInOrder, runSession } from './shell-session.ts'
import { proofSize } from '../support/proof-size.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const ORIGIN = 'http://127.0.0.1:8000'

const pages = await pagesWithExamples()
const seed = Number(process.env['EXAMPLES_SEED'] ?? Math.floor(Math.random() * 1_000_000))
const shuffled = shuffle(pages, seed)

const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-examples-'))
beforeAll(() => writeShownFiles(folder))
afterAll(() => rm(folder, { recursive: true }))

describe('the examples of the documentation', () => {
  test('exist on at least ten pages, including the main ones', () => {
    const names = pages.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['README', 'changing-resources', 'watch']))
    expect(names.length).toBeGreaterThan(9)
  })

  test.each(pages)('of $name state their output, and end without help', ({ blocks }) => {
    for (const { script, expected } of blocks) {
      expect(expected, script).not.toEqual([])
      for (const line of script.split('\n').filter((one) => !one.startsWith('#'))) {
        // Every command that reads a stream has a time limit, and loops have a maximum count.
        if (/watch=true/.test(line)) expect(line).toMatch(/--max-time \d/)
        expect(line).not.toMatch(/\b(until|while)\b/)
      }
    }
  })

  test.each(pages)('of $name run every JavaScript block, as a file with a name', (page) => {
    const programs = programsOf(page)
    expect(page.text.match(/^```js$/gm) ?? []).toHaveLength(programs.size)
    const texts = [...page.blocks.map(({ script }) => script), ...programs.values()]
    for (const name of programs.keys()) {
      expect(texts.some((text) => text.includes(` ${name}`) || text.includes(`'./${name}'`))).toBe(
        true,
      )
    }
  })
})

const orders = [
  [`in a random order (EXAMPLES_SEED=${seed})`, shuffled],
  ['in the reverse of this order', shuffled.toReversed()],
] as const

describe.each(orders.slice(0, proofSize(orders.length)))(
  'the examples of all pages on one server, %s',
  (_order, order) => {
    /** Servers by settings. Pages without settings share the server with the defaults. */
    const servers = new Map<string, TestServer>()
    const outputs = new Map<string, readonly string[]>()

    beforeAll(async () => {
      for (const page of order) outputs.set(page.name, await run(page, await serverOf(page)))
    }, 300_000)
    afterAll(async () => {
      for (const server of servers.values()) await server[Symbol.asyncDispose]()
    })

    async function serverOf({ settings }: Page): Promise<TestServer> {
      const key = JSON.stringify(settings)
      const { FLOTILLA_CONFIG: file, ...env } = settings
      const kinds =
        file === undefined ? builtIn : await loadKindsFile(path.join(folder, file), builtIn)
      const server = servers.get(key) ?? (await startTestServer({ env, kinds }))
      servers.set(key, server)
      return server
    }

    describe.each(order.map((page, place) => ({ ...page, place: place + 1 })))(
      '($place) $name',
      ({ name, blocks }) => {
        test.each(blocks.map((block, index) => ({ ...block, index })))(
          'block $index prints the stated output',
          ({ expected, index }) => {
            const output = must(outputs.get(name)?.[index], 'output: an earlier block failed')
            expectInOrder(output, expected)
          },
        )
      },
    )
  },
)

/** Runs the blocks of a page in one session. Its directory contains the programs of the page. */
async function run(page: Page, server: TestServer): Promise<readonly string[]> {
  const directory = path.join(folder, `run-${page.name}`)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory)
  const onServer = (text: string): string => text.replaceAll(ORIGIN, server.origin)
  for (const [name, source] of programsOf(page)) {
    await writeFile(path.join(directory, name), onServer(source))
  }
  const [first = '', ...rest] = page.blocks.map(({ script }) => onServer(script))
  return runSession([`cd ${directory}\n${first}`, ...rest])
}

/** Shuffles deterministically by the seed. */
function shuffle<T>(items: readonly T[], start: number): readonly T[] {
  let state = start
  const random = (): number => {
    // The linear congruential generator of "Numerical Recipes".
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return items
    .map((item) => ({ item, key: random() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item)
}
