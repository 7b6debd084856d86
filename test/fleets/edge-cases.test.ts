import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'

/** The edge cases of fleets, each with the text by which the name of a test starts with it. */
const EDGE_CASES = [
  '0 replicas',
  '0 → 3 → 0',
  '9 999 → 10 001',
  'duplicate or invalid names',
  'an overlong prefix',
  'two fleets with one prefix',
  'a manually deleted member',
  'names reordered',
  'prefix ⇄ names',
  'stale resourceVersion',
  'concurrent scaling',
  'crash in mid-batch',
  'two controllers',
  'delete while creating',
  'delete with adapters that never finalize',
  'ttl 0',
  'ttl shortened below the age',
  'ttl removed',
  'report for an old generation',
  'Ready flapping 100 times a second',
  'claim races',
  'lease expiry in use',
  'template change during scale-down',
  'database outage and recovery',
]

async function testNames(): Promise<readonly string[]> {
  const files = await readdir(import.meta.dirname, { recursive: true })
  const names: string[] = []
  for (const file of files.filter((name) => /\.(test|drill)\.ts$/.test(name))) {
    const text = await readFile(path.join(import.meta.dirname, file), 'utf8')
    names.push(...[...text.matchAll(/^\s*test\('([^']+)'/gm)].map(([, name = '']) => name))
  }
  return names
}

test('every edge case of fleets has a test that is named for it', async () => {
  const names = await testNames()
  const missing = EDGE_CASES.filter((edge) => !names.some((name) => name.startsWith(edge)))
  expect(missing).toEqual([])
})
