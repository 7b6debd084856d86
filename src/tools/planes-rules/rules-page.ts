import path from 'node:path'
import type { RuleTopics } from './rules.ts'

/** A citation, such as `R10`. */
const CODE = /\bR[1-9]\d?\b/g
/** The ids at the beginning of a test's title: `'R10: ...` or `'R12, R13: ...`. */
const CITED = /['"`]((?:R[1-9]\d?(?:, )?)+): /g

/**
 * Generates docs/planes-rules.md, with links to the tests that cite a rule in a title. Throws if a
 * file cites a rule that does not exist, or if no test cites a rule. `files` has the text of each
 * file by path from the root.
 */
export function rulesPage(topics: RuleTopics, files: ReadonlyMap<string, string>): string {
  const rules = new Set(Object.values(topics).flatMap((topic) => Object.keys(topic)))
  const tests = new Map<string, string[]>([...rules].map((id) => [id, []]))
  for (const [file, text] of files) {
    for (const [id] of text.matchAll(CODE)) {
      if (!rules.has(id)) throw new Error(`${file} cites ${id}, which is not in rules.ts`)
    }
    for (const id of citedIds(text)) tests.get(id)?.push(file)
  }
  const sections = Object.entries(topics).map(([topic, texts]) => {
    const lines = Object.entries(texts).map(([id, text]) => line(id, text, tests.get(id) ?? []))
    return `## ${topic}\n\n${lines.join('\n')}\n`
  })
  return `${HEAD}\n${sections.join('\n')}`
}

/** The rules that the titles of tests cite. */
function citedIds(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(CITED)].flatMap(([, ids = '']) => ids.match(CODE) ?? []))
}

function line(id: string, text: string, files: readonly string[]): string {
  if (files.length === 0) throw new Error(`no test cites ${id}: begin a title with '${id}: '`)
  const links = files.toSorted().map((file) => `[${nameOf(file)}](../${file})`)
  return `- **${id}.** ${text} Tests: ${links.join(', ')}.`
}

/** `test/planes/access.test.ts` as `access` */
function nameOf(file: string): string {
  return path.basename(file).replace(/(\.property)?(\.test|\.drill)?\.ts$/, '')
}

const HEAD = `# Rules of planes

<!-- Generated from src/tools/planes-rules/rules.ts and the titles of tests by \`npm run openapi\`. -->

The rules of Kubernetes that [planes](planes.md) keep, and the tests that verify them. Titles of tests
begin with the rule: \`R10: reads accept resource versions\`. The
[differences](planes.md#differences-from-kubernetes) are listed with the guide.
`
