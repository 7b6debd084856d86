import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { must } from '../src/lib/assert.ts'
import { startTestServer } from './test-server.ts'

const README = new URL('../README.md', import.meta.url)
const ORIGIN = 'http://127.0.0.1:8000'
const EXPECTATION = '# => '

/** A bash block of the tour. */
interface Block {
  /** The heading above it. */
  readonly title: string
  readonly script: string
  /** Pieces that its output has in this order: `...` in the README stands for what is left out. */
  readonly expected: readonly string[]
}

/** The bash blocks of the chapter `Tour`. */
function blocksOf(readme: string): readonly Block[] {
  const [, after = ''] = readme.split('\n## Tour\n')
  const [tour = ''] = after.split('\n## ')
  return tour.split('\n### ').flatMap((section) => {
    const title = section.slice(0, section.indexOf('\n'))
    return Array.from(section.matchAll(/^```bash\n(.*?)^```$/gms), ([, script = '']) => ({
      title,
      script,
      expected: expectedOf(script),
    }))
  })
}

function expectedOf(script: string): readonly string[] {
  return script
    .split('\n')
    .filter((line) => line.startsWith(EXPECTATION))
    .flatMap((line) => line.slice(EXPECTATION.length).split('...'))
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '' && piece !== ',')
}

/** Runs the scripts in one bash session, up to the first that fails; the output of each. */
async function runSession(scripts: readonly string[]): Promise<readonly string[]> {
  const session = ['set -eo pipefail', ...scripts].join("\nprintf '\\0'\n")
  const bash = spawn('bash', ['-c', session], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, no_proxy: '127.0.0.1' },
  })
  const output = await text(bash.stdout)
  return output.split('\0').slice(1)
}

/** Fails with the first piece that is not found behind the one before it. */
function expectInOrder(output: string, pieces: readonly string[]): void {
  let rest = output
  for (const piece of pieces) {
    expect(rest).toContain(piece)
    rest = rest.slice(rest.indexOf(piece) + piece.length)
  }
}

describe("the README's tour", async () => {
  const blocks = blocksOf(await readFile(README, 'utf8'))
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
