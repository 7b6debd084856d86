import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { settingsOf } from '../../src/cmd/settings.ts'

describe('docs/coming-from-hyperfleet.md', () => {
  test("maps HyperFleet's settings to settings that exist", async () => {
    const file = new URL('../../docs/coming-from-hyperfleet.md', import.meta.url)
    const [, section = ''] = /^## Settings$(.*?)^## /ms.exec(await readFile(file, 'utf8')) ?? []
    const mapped = section.split('\n').flatMap((line) => {
      const flotilla = line.split('|')[3] ?? ''
      return [...flotilla.matchAll(/`([A-Z][A-Z_]+)\b/g)].map(([, name]) => name)
    })
    const settings = new Set<string | undefined>(settingsOf(kinds).map(({ env }) => env))
    expect(mapped.length).toBeGreaterThan(20)
    expect(mapped.filter((name) => !settings.has(name))).toEqual([])
  })
})
