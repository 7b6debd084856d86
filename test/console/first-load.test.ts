import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildConsole } from '../drills/console/rig/build-console.ts'

const folder = fileURLToPath(new URL('../../clients/console/dist', import.meta.url))
const LIMIT_BYTES = 250_000

beforeAll(buildConsole)

/** The assets that a text refers to: by tags of a page, or by static imports of a script. */
function referencesIn(text: string): readonly string[] {
  const imports = text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)
  const tags = text.matchAll(/(?:src|href)="\/console\/assets\/([^"]+)"/g)
  return [...imports, ...tags].flatMap(([, name]) => name ?? [])
}

/** The named assets and everything that they import before they run. */
async function closure(names: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    if (name.endsWith('.js')) open.push(...referencesIn(await readFile(asset(name), 'utf8')))
  }
  return found
}

function asset(name: string): string {
  return path.join(folder, 'assets', name)
}

/** The bytes that cross the network: those of the gzip copy, which every browser accepts. */
async function transferred(name: string): Promise<number> {
  const copy = await stat(`${asset(name)}.gz`).catch(() => null)
  return (copy ?? (await stat(asset(name)))).size
}

describe('the first load of the console', () => {
  it('is below 250 kB compressed, with the overview and its styles', async () => {
    const page = await readFile(path.join(folder, 'index.html'), 'utf8')
    const all = await readdir(path.join(folder, 'assets'))
    const overview = all.filter((name) => /^(overview-page|page)-[^.]+\.(js|css)$/.test(name))
    const loaded = await closure([...referencesIn(page), ...overview])
    const sizes = await Promise.all([...loaded].map(transferred))
    expect(overview.length).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LIMIT_BYTES)
  })

  it('loads the editor only with the pages that need it', async () => {
    const page = await readFile(path.join(folder, 'index.html'), 'utf8')
    const texts = await Promise.all(
      [...(await closure(referencesIn(page)))].map((name) => readFile(asset(name), 'utf8')),
    )
    expect(texts.some((text) => text.includes('cm-editor'))).toBe(false)
  })

  it('contains no script in its page and no address of another server', async () => {
    const page = await readFile(path.join(folder, 'index.html'), 'utf8')
    expect(page).not.toMatch(/<script(?![^>]* src=)/)
    expect(page).not.toMatch(/(src|href)="https?:/)
  })
})
