import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', '.git', '.flotilla', 'coverage'])
const FENCED_BLOCK = /^(```+).*?^\1$/gms
const RELATIVE_LINK = /\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g

let files: readonly string[]
let pages: ReadonlyMap<string, string>
beforeAll(async () => {
  files = await filesBelow(ROOT)
  const names = files.filter((file) => file.endsWith('.md'))
  pages = new Map(
    await Promise.all(
      names.map(
        async (name) =>
          [
            name,
            (await readFile(path.join(ROOT, name), 'utf8')).replace(FENCED_BLOCK, ''),
          ] as const,
      ),
    ),
  )
})

describe('the documentation', () => {
  test('has no broken relative link', () => {
    const broken = [...pages].flatMap(([name, text]) =>
      [...text.matchAll(RELATIVE_LINK)]
        .filter(([, target = '', anchor]) => !resolves(name, target, anchor))
        .map(([link]) => `${name}: ${link.slice(1)}`),
    )
    expect(broken).toEqual([])
  })

  test('lists every page in its index', () => {
    const listed = new Set(targetsOf('docs/README.md'))
    const names = [...pages.keys()].filter((name) => /^docs\/[^/]+\.md$/.test(name))
    expect(names.length).toBeGreaterThan(20)
    expect(names.filter((name) => name !== 'docs/README.md' && !listed.has(name))).toEqual([])
  })

  test('lists every decision in the index of decisions', () => {
    const decisions = files.filter((file) => /^docs\/decisions\/\d{4}-.*\.md$/.test(file))
    expect(decisions.length).toBeGreaterThan(20)
    const listed = targetsOf('docs/decisions/README.md').filter((name) => decisions.includes(name))
    expect(listed).toEqual(decisions.toSorted())
  })

  // The project has no public address yet, so a registry could not resolve a relative link.
  test.each(['clients/typescript/README.md', 'clients/python/README.md'])(
    'names files of the repository by path in the packaged %s',
    (name) => {
      const text = pages.get(name) ?? ''
      expect([...text.matchAll(RELATIVE_LINK)].filter(([, target]) => target !== '')).toEqual([])
      const paths = [...text.matchAll(/`((?:docs|clients)\/[^`]+)`/g)].map(([, path = '']) => path)
      expect(paths.length).toBeGreaterThan(5)
      expect(paths.filter((path) => !resolves('README.md', path, undefined))).toEqual([])
    },
  )
})

/** The files that a page links to, relative to the repository. */
function targetsOf(page: string): readonly string[] {
  const links = [...(pages.get(page) ?? '').matchAll(RELATIVE_LINK)]
  return links.map(([, target = '']) => path.posix.join(path.posix.dirname(page), target))
}

function resolves(page: string, target: string, anchor: string | undefined): boolean {
  const file = target === '' ? page : path.posix.join(path.posix.dirname(page), target)
  const text = pages.get(file)
  if (anchor !== undefined && text !== undefined) return anchors(text).has(anchor)
  const folder = `${file.replace(/\/$/, '')}/`
  return files.some((name) => name === file || name.startsWith(folder))
}

/** Anchors of the headings, as GitHub derives them. */
function anchors(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => heading)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  )
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const lists = await Promise.all(
    entries.map(async (entry) => {
      const file = path.join(folder, entry.name)
      if (!entry.isDirectory()) return [path.relative(ROOT, file)]
      return SKIPPED_FOLDERS.has(entry.name) ? [] : filesBelow(file)
    }),
  )
  return lists.flat()
}
