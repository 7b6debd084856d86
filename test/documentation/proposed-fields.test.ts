import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const DOCS = new URL('../../docs/', import.meta.url)
const FENCED = /^```(\w+)\n(.*?)^```$/gms
const NOTE = /^# Proposed schema \(KEP-0694\)/
/** Kinds and fields that agent-sandbox has not released. */
const PROPOSED =
  /\b(?:kind: Snapshot\w*|suspensionStrategy|restorePolicy|restoreFrom|autoSuspend|snapshotPolicy)\b/

const names = (await readdir(DOCS)).filter((name) => name.endsWith('.md'))
const examples = await Promise.all(
  names.map(async (name) => {
    const text = await readFile(new URL(name, DOCS), 'utf8')
    const blocks = Array.from(text.matchAll(FENCED), ([, language = '', content = '']) => ({
      name,
      language,
      content,
    }))
    return blocks.filter(({ language }) => ['yaml', 'json', 'sh', 'bash'].includes(language))
  }),
)
const proposed = examples.flat().filter(({ content }) => PROPOSED.test(content))

test('the documentation has examples with proposed fields', () => {
  expect(proposed.map(({ name }) => name)).toContain('sandboxes.md')
})

test.each(proposed)(
  'an example of $name with proposed fields begins with a note',
  ({ content }) => {
    expect(content).toMatch(NOTE)
  },
)
