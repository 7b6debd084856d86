import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { repositoryFiles } from './files.ts'
import { findingsIn } from './findings.ts'
import { proseOf } from './prose-of.ts'
import { PROSE_RULES } from './rules.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** For each rule a sentence that it finds and sentences that it must not find. */
const SENTENCES: Readonly<Record<string, { bad: string; good: readonly string[] }>> = {
  where: {
    bad: 'The last version, null where there is none.',
    good: [
      'Shows where the file is.',
      'The `where` of a search.',
      'The WHERE clause of a statement.',
      'The page where the setting is documented.',
    ],
  },
  'what-is': {
    bad: 'Returns what is known of the row.',
    good: ['Explains what to do.', 'See what a report contains.', 'Documents what it does.'],
  },
  'leading-what': {
    bad: 'What handlers depend on.',
    good: ['What happens if two servers start?', 'The dependencies of handlers.'],
  },
  tell: { bad: 'Clients are told of changes.', good: ['Clients are notified of changes.'] },
  somebody: { bad: 'Nobody reads the row.', good: ['No other process reads the row.'] },
  anew: { bad: 'Reads the row anew.', good: ['Reads the row again.'] },
  'at-once': { bad: 'Ends at once.', good: ['Ends immediately.', 'Runs at least once.'] },
  'so-many': { bad: 'At most so many bytes.', good: ['At most this number of bytes.'] },
  'of-its-own': { bad: 'Has a lock of its own.', good: ['Has its own lock.'] },
  'but-for': { bad: 'Equal but for the times.', good: ['Equal except for the times.'] },
  dear: { bad: 'Parsing is dear.', good: ['Parsing is expensive.'] },
  lest: { bad: 'Waits lest it overtake.', good: ['Waits at least a second.'] },
  'as-of': { bad: 'The list as of a revision.', good: ['The list at a revision.'] },
  settle: { bad: 'Once the report is settled.', good: ['Once the report is synced.'] },
  judge: { bad: 'A report is judged here.', good: ['A report is validated here.'] },
  stand: {
    bad: 'The token stands at the end.',
    good: ['A standalone server.', 'A mock stands in for the server.'],
  },
  'go-on': { bad: 'The stream goes on.', good: ['The client goes on to read the list.'] },
  bear: { bad: 'The row bears a version.', good: ['A bearer token.', 'Bear in mind the limit.'] },
  inbox: { bad: 'A row of the inbox.', good: ['A row of the outbox.'] },
  doorbell: { bad: 'The doorbell wakes it.', good: ['The notifier wakes it.'] },
  hub: { bad: 'The hub reads the log.', good: ['From Docker Hub.', 'A page on GitHub.'] },
  shelf: { bad: 'Takes it from the shelf.', good: ['Takes it from the tree cache.'] },
  rehearse: { bad: 'Rehearses the request.', good: ['Makes a dry run of the request.'] },
  plumbing: { bad: 'The plumbing of HTTP.', good: ['The HTTP server.'] },
  parcel: { bad: 'Writes a parcel.', good: ['Writes a chunk.'] },
  outlet: { bad: 'The outlet has no room.', good: ['The log destination is full.'] },
  shortfall: { bad: 'Lists every shortfall.', good: ['Lists every unmet requirement.'] },
  patience: { bad: 'Ends after its patience.', good: ['Ends after its timeout.'] },
}

describe('the rules', () => {
  for (const { name } of PROSE_RULES) {
    const { bad = '', good = [] } = SENTENCES[name] ?? {}

    it(`find ${name} on its line`, () => {
      const found = findingsOf('a.ts', `const a = 1\n\n// First.\n// ${bad}\nconst b = 2\n`)
      expect(found).toEqual([{ line: 4, name }])
    })

    it(`accept sentences without ${name}`, () => {
      expect(good).not.toEqual([])
      for (const text of good) expect(findingsOf('a.md', text)).toEqual([])
    })
  }

  it('find a phrase that continues on the next line, at its first word', () => {
    const found = findingsOf('a.ts', '/**\n * The row, null\n * where there\n * is none.\n */\n')
    expect(found).toEqual([{ line: 3, name: 'where' }])
  })
})

describe('prose', () => {
  const tell = (line: number) => [{ line, name: 'tell' }]

  it('includes comments of TypeScript after code, and test titles', () => {
    expect(findingsOf('a.ts', "const a = 'x' // told\n")).toEqual(tell(1))
    expect(findingsOf('a.ts', "\n  it('is told', () => {})\n")).toEqual(tell(2))
    expect(findingsOf('a.mjs', '/* told */\n')).toEqual(tell(1))
  })

  it('excludes code and strings of TypeScript', () => {
    expect(findingsOf('a.ts', "const told = 'see // told'\n")).toEqual([])
    expect(findingsOf('a.ts', 'const a = "it\'s // told"\n')).toEqual([])
    expect(findingsOf('a.ts', '/** A word. */\nconst told = 1\n')).toEqual([])
  })

  it('includes messages of the server, but not SQL and fixtures', () => {
    const message = "log.warn({}, 'nobody could be told')\n"
    const found = [
      { line: 1, name: 'tell' },
      { line: 1, name: 'somebody' },
    ]
    expect(findingsOf('src/lib/a.ts', message)).toEqual(found)
    expect(findingsOf('src/lib/a.test.ts', message)).toEqual([])
    expect(findingsOf('src/lib/a.ts', "'select told from a'\n")).toEqual([])
    expect(findingsOf('src/lib/a.ts', "is('told')\n")).toEqual([])
  })

  it('includes paragraphs of Markdown, without code and link targets', () => {
    const page = 'A\n\n```sh\ntold\n```\n\nA `told`, [link](told.md).\nB told.\n'
    expect(findingsOf('a.md', page)).toEqual(tell(8))
  })

  it('includes comments of SQL, Prisma and shell', () => {
    expect(findingsOf('a.sql', 'select told\n-- told\n')).toEqual(tell(2))
    expect(findingsOf('a.prisma', 'model Told {\n  /// told\n}\n')).toEqual(tell(2))
    expect(findingsOf('Dockerfile', '# told\nRUN told\n')).toEqual(tell(1))
  })

  it('includes comments and descriptions of YAML', () => {
    const document = 'told: 1\n# told\ninfo:\n  description: >-\n    First line\n    is told.\n'
    expect(findingsOf('a.yaml', document)).toEqual([...tell(2), ...tell(6)])
  })
})

describe('the command', () => {
  it('exits with 1 and names each line of a planted file', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-prose-'))
    try {
      const file = path.join(folder, 'planted.ts')
      await writeFile(file, '/** Good. */\n\n/** Null where there is none. */\n')
      const { code, output } = await run([file])
      expect(code).toBe(1)
      expect(output).toContain('planted.ts:3: "where": use if, when or unless')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('ignores the folders of builds, which tests remove at any time', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-prose-'))
    try {
      const files = ['docs/a.md', 'clients/cli/dist/b.md', 'clients/cli/dist.test-1/c.md']
      for (const file of files) {
        await mkdir(path.join(folder, path.dirname(file)), { recursive: true })
        await writeFile(path.join(folder, file), 'Good.\n')
      }
      expect(await repositoryFiles(folder)).toEqual(['docs/a.md'])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('exits with 0 for a file that needs no change', async () => {
    expect(await run(['src/tools/prose/passage.ts'])).toEqual({ code: 0, output: '' })
  })
})

function findingsOf(file: string, source: string) {
  const passages = proseOf(file, source) ?? []
  return passages.flatMap(findingsIn).map(({ line, rule }) => ({ line, name: rule.name }))
}

function run(args: readonly string[]): Promise<{ code: unknown; output: string }> {
  const tsx = path.join(root, 'node_modules/.bin/tsx')
  return new Promise((resolve) => {
    execFile(tsx, ['src/tools/prose/main.ts', ...args], { cwd: root }, (error, output) => {
      resolve({ code: error === null ? 0 : error.code, output })
    })
  })
}
