import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { assert } from '../src/lib/assert.ts'
import { LAYERS } from '../src/tools/layers.ts'
import { withLayers } from '../src/tools/lint-layers.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** From the bottom to the top; folders of one row do not see each other. */
const CHAIN = [
  ['src/lib'],
  ['src/core/model'],
  ['src/core/registry'],
  ['src/core/search', 'src/core/status'],
  ['src/core/storage'],
  ['src/core/feed'],
  ['src/core/operations'],
  ['src/core/http'],
]

const files = new Map<string, string>()
const broken = new Map<string, string[]>()

/** Writes all planted files to a tree of their own and lints them in one run. */
beforeAll(async () => {
  const tree = await mkdtemp(path.join(os.tmpdir(), 'flotilla-layers-'))
  try {
    await cp(path.join(root, '.oxlintrc.json'), path.join(tree, '.oxlintrc.json'))
    for (const [file, text] of files) {
      await mkdir(path.dirname(path.join(tree, file)), { recursive: true })
      await writeFile(path.join(tree, file), text)
    }
    for (const { filename, code } of await lint(tree)) {
      broken.set(filename, [...(broken.get(filename) ?? []), code])
    }
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
})

/** Plants a file of this text in a folder and returns its path. */
function plant(folder: string, text: string, name = `planted-${files.size}.ts`): string {
  const file = `${folder}/${name}`
  assert(!files.has(file), `${file} is planted once`)
  files.set(file, text)
  return file
}

interface Diagnostic {
  readonly filename: string
  readonly code: string
}

function lint(tree: string): Promise<readonly Diagnostic[]> {
  const oxlint = path.join(root, 'node_modules/.bin/oxlint')
  return new Promise((resolve, reject) => {
    execFile(oxlint, ['-f', 'json'], { cwd: tree }, (error, stdout) => {
      if (error && error.code !== 1) reject(error)
      else resolve(JSON.parse(stdout).diagnostics)
    })
  })
}

function specifier(from: string, to: string): string {
  const relative = path.relative(from, to)
  return relative.startsWith('.') ? relative : `./${relative}`
}

const IMPORT_RULE = 'eslint(no-restricted-imports)'

const importing = (from: string): string => `import { a } from '${from}'\n\nexport const b = a\n`
const importingType = (from: string): string =>
  `import type { A } from '${from}'\n\nexport type B = A\n`

function expectRefused(title: string, file: string, rule = IMPORT_RULE): void {
  it(title, () => {
    expect(broken.get(file)).toEqual([rule])
  })
}

function expectAllowed(title: string, file: string): void {
  it(title, () => {
    expect(broken.get(file)).toBeUndefined()
  })
}

describe('the layers', () => {
  const places = CHAIN.flatMap((folders, level) => folders.map((folder) => ({ folder, level })))
  for (const from of places) {
    for (const to of places.filter(({ folder }) => folder !== from.folder)) {
      const file = plant(from.folder, importing(specifier(from.folder, `${to.folder}/a.ts`)))
      const title = `that ${from.folder} imports ${to.folder}`
      if (from.level > to.level) expectAllowed(`allow ${title}`, file)
      else expectRefused(`refuse ${title}`, file)
    }
  }

  for (const text of [
    importing('../../http/a.ts'),
    importingType('../../http/a.ts'),
    `export * from '../../http/a.ts'\n`,
    `export type { A } from '../../http/a.ts'\n`,
    `export const a = await import('../../http/a.ts')\n`,
  ]) {
    expectRefused(`refuse in a folder inside a layer ${text}`, plant('src/core/storage/in', text))
  }

  for (const [folder, from, name] of [
    ['src/lib', '../config.ts'],
    ['src/kinds/cluster', '../../config.ts'],
    ['src/core/http', '../../config.ts'],
    ['src/core/http/verbs', '../../../main.ts'],
    ['src/core/http', '../../tools/a.ts'],
    ['src/core/registry', '../../kinds/index.ts'],
    ['src', './tools/a.ts', 'main.ts'],
    ['src/kinds/cluster', '../../core/storage/a.ts'],
    ['src/kinds/cluster', '../../core/status/a.ts'],
    ['src/kinds/cluster', '../../lib/a.ts'],
    ['src/entities', '../kinds/index.ts'],
    ['src/entities', '../core/http/a.ts'],
    ['src/core/http', '../../entities/a.ts'],
  ] as const) {
    expectRefused(`refuse that ${folder} imports ${from}`, plant(folder, importing(from), name))
  }

  for (const [folder, from, name] of [
    ['src', './core/http/a.ts', 'server.ts'],
    ['src', './kinds/index.ts', 'command-line.ts'],
    ['src/tools', '../entities/a.ts'],
    ['src/entities', '../core/registry/a.ts'],
    ['src/entities', '../lib/a.ts'],
    ['src/tools', '../config.ts'],
    ['src/kinds/cluster', '../../core/registry/a.ts'],
    ['src/kinds/cluster', '../../core/model/a.ts'],
    ['src/core/http/verbs', '../config.ts'],
  ] as const) {
    expectAllowed(`allow that ${folder} imports ${from}`, plant(folder, importing(from), name))
  }

  expectAllowed(
    'allow that a kind imports types of status',
    plant('src/kinds/cluster', importingType('../../core/status/a.ts')),
  )
})

describe('packages', () => {
  for (const [folder, from, name] of [
    ['src/core/http', 'pg'],
    ['src/core/operations', 'pg'],
    ['src', 'pg', 'readiness.ts'],
    ['src/core/operations', '@prisma/client'],
    ['src/core/operations', '../storage/prisma-client/client.ts'],
    ['src/core/http', 'sql-template-tag'],
    ['src/core/status', 'sql-template-tag'],
    ['src/core/operations', 'express'],
    ['src', 'express', 'welcome.ts'],
    ['src/lib', 'express-openapi-validator'],
  ] as const) {
    expectRefused(
      `are kept: ${folder} may not import ${from}`,
      plant(folder, importing(from), name),
    )
  }

  for (const [folder, from] of [
    ['src/core/storage', 'pg'],
    ['src/core/storage', '@prisma/adapter-pg'],
    ['src/core/storage', './prisma-client/client.ts'],
    ['src/core/storage', 'sql-template-tag'],
    ['src/core/search', 'sql-template-tag'],
    ['src/core/operations', 'sql-template-tag'],
    ['src/core/http', 'express'],
    ['src/lib', 'pino'],
  ] as const) {
    expectAllowed(`are shared: ${folder} may import ${from}`, plant(folder, importing(from)))
  }
})

describe('the linter', () => {
  const environment = 'export const home = process.env\n'
  const inLib = plant('src/lib', environment)
  expectRefused('refuses process.env', inLib, 'node(no-process-env)')
  expectAllowed('allows process.env in config.ts', plant('src', environment, 'config.ts'))

  plant('src/lib', `export { b as a } from './right.ts'\n`, 'left.ts')
  const right = plant('src/lib', `export { a as b } from './left.ts'\n`, 'right.ts')
  expectRefused('refuses an import cycle', right, 'import(no-cycle)')

  const long = Array.from({ length: 60 }, (_, line) => `  console.log(${line})`).join('\n')
  for (const [rule, text] of [
    ['typescript(no-explicit-any)', 'export const a: any = 1\n'],
    ['typescript(no-non-null-assertion)', 'export const b = (a?: number): number => a!\n'],
    ['eslint(max-params)', 'export const c = (a: 1, b: 2, d: 3, e: 4, f: 5) => [a, b, d, e, f]\n'],
    ['eslint(max-lines-per-function)', `export function f(): void {\n${long}\n}\n`],
  ] as const) {
    expectRefused(`refuses what breaks ${rule}`, plant('src/lib', text), rule)
  }

  it('is configured as the table of layers says', async () => {
    const text = await readFile(path.join(root, '.oxlintrc.json'), 'utf8')
    expect(withLayers(text)).toBe(text)
    expect(withLayers(text.replace('kinds may not import http', 'gone'))).not.toBe(text)
  })

  it('knows the layer of every source file', async () => {
    const known = Object.values(LAYERS).flatMap(({ files }) => files)
    const sources = await readdir(path.join(root, 'src'), { recursive: true })
    const strays = sources
      .filter((file) => file.endsWith('.ts'))
      .filter((file) => !known.some((layer) => file === layer || isInside(file, layer)))
    expect(strays).toEqual([])
  })
})

function isInside(file: string, layer: string): boolean {
  return layer.endsWith('/') && file.startsWith(layer)
}
