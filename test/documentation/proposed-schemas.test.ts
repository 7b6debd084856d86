import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const DOCS = new URL('../../docs/', import.meta.url)
const YAML = /^```yaml\n(.*?)^```$/gms
const NOTE = '# Proposed schema (KEP-0694): it may change.\n'
/** Kinds and fields of sandboxes that agent-sandbox does not have yet. */
const PROPOSED =
  /^kind: Snapshot|^\s*(suspensionStrategy|restorePolicy|restoreFrom|autoSuspend|snapshotPolicy):/m

async function examples(): Promise<readonly (readonly [string, string])[]> {
  const names = (await readdir(DOCS)).filter((name) => name.endsWith('.md')).toSorted()
  const pages = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, DOCS), 'utf8')
      return [...text.matchAll(YAML)].map(([, example = '']) => [name, example] as const)
    }),
  )
  return pages.flat().filter(([, example]) => PROPOSED.test(example))
}

const found = await examples()

test('the documentation has examples of proposed schemas', () => {
  expect(found.map(([page]) => page)).toContain('sandbox-snapshots.md')
})

test.each(found)('an example in %s with proposed fields begins with the note', (_page, example) => {
  expect(example.startsWith(NOTE)).toBe(true)
})
