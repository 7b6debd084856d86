import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkLayers } from '../../src/tools/layers/check-layers.ts'
import { layerViolations } from '../../src/tools/layers/layer-violations.ts'
import { LAYERS } from '../../src/tools/layers/layers.ts'

/** Folders from the bottom to the top. A folder may import folders of earlier rows only. */
const CHAIN = [
  ['lib'],
  ['core/model'],
  ['core/registry'],
  ['core/search/language'],
  ['core/search/bind'],
  ['core/search/sql', 'core/search/memory'],
  ['core/storage/database'],
  ['core/storage/references', 'core/storage/status-records'],
  ['core/storage/resources'],
  ['core/storage/changes', 'core/storage/snapshots'],
  ['core/feed'],
  ['core/snapshots'],
  ['core/operations'],
  ['core/operations/watch'],
  ['statuses/conditions'],
  ['statuses/validation', 'statuses/storage'],
  ['statuses/operations'],
  ['apis/hyperfleet/paths', 'apis/hyperfleet/errors'],
  ['apis/hyperfleet/query'],
  ['apis/hyperfleet/wire'],
  ['apis/hyperfleet/openapi', 'apis/hyperfleet/validation', 'apis/hyperfleet/watch'],
  ['apis/hyperfleet/snapshot', 'apis/hyperfleet/verbs', 'apis/hyperfleet/service'],
  ['apis/hyperfleet/routes'],
  ['cmd'],
  ['tools'],
] as const

/** From the bottom to the top of `http`. */
const HTTP_CHAIN = [
  ['http/requests'],
  ['http/errors'],
  ['http/json', 'http/observability'],
  ['http/server'],
  ['http/auth'],
  ['http/streams'],
] as const

/** Pairs of folders that must not import each other in either direction. */
const INDEPENDENT = [
  ['core/operations', 'http/server'],
  ['core/storage/resources', 'http/json'],
  ['config', 'http/auth'],
  ['config', 'apis/hyperfleet/query'],
  ['statuses/operations', 'http/server'],
  ['statuses/conditions', 'core/storage/resources'],
  ['core/search/sql', 'core/search/memory'],
  ['embedded-postgres', 'core/storage/database'],
  ['apis/hyperfleet/kinds', 'statuses/operations'],
  ['apis/hyperfleet/kinds', 'core/storage/resources'],
  ['apis/hyperfleet/configured-kinds', 'http/server'],
  ['http/auth', 'http/validation'],
] as const

function importing(from: string, to: string): readonly string[] {
  const specifier = path.posix.relative(from, `${to}/a.ts`)
  const text = `import { a } from '${specifier.startsWith('.') ? specifier : `./${specifier}`}'\n`
  return layerViolations(`${from}/planted.ts`, text)
}

describe('the layers', () => {
  for (const chain of [CHAIN, HTTP_CHAIN]) {
    const levels = chain.flatMap((folders, level) => folders.map((folder) => ({ folder, level })))
    for (const from of levels) {
      for (const to of levels.filter(({ level }) => level > from.level)) {
        it(`forbid that ${from.folder} imports ${to.folder}`, () => {
          expect(importing(from.folder, to.folder)).toHaveLength(1)
        })
      }
    }
  }

  for (const [one, other] of INDEPENDENT) {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      it(`forbid that ${from} imports ${to}`, () => {
        expect(importing(from, to)).toHaveLength(1)
      })
    }
  }

  it('forbid that core or http imports statuses or an API', () => {
    const rows = Object.keys(LAYERS).filter((row) => /^(core|http)(\/|$)/.test(row))
    const targets = Object.keys(LAYERS).filter((row) => /^(statuses|apis)\//.test(row))
    const allowed = rows.flatMap((from) => {
      return targets.filter((to) => importing(from, to).length === 0).map((to) => `${from} > ${to}`)
    })
    expect(allowed).toEqual([])
  })

  it.each([
    ['cmd', 'apis/hyperfleet/kinds'],
    ['apis/hyperfleet', 'core/operations'],
    ['apis/hyperfleet/verbs', 'apis/hyperfleet/wire'],
    ['http/auth', 'core/auth'],
    ['statuses/operations', 'core/operations'],
    ['core/operations', 'core/storage/resources'],
    ['core/storage/resources', 'core/model'],
  ])('allow that %s imports %s', (from, to) => {
    expect(importing(from, to)).toEqual([])
  })

  it.each([
    `import type { A } from '../../http/json/a.ts'`,
    `export * from '../../http/json/a.ts'`,
    `export type { A } from '../../http/json/a.ts'`,
    `import '../../http/json/a.ts'`,
    `import {\n  a,\n  b,\n} from '../../http/json/a.ts'`,
    `export const a = await import('../../http/json/a.ts')`,
  ])('detect the import in %s', (text) => {
    expect(layerViolations('core/feed/planted.ts', `${text}\n`)).toHaveLength(1)
  })

  it.each([
    ['core/operations', 'pg'],
    ['http/server', '@prisma/client'],
    ['core/operations', '../../generated/prisma/client.ts'],
    ['http/server', 'sql-template-tag'],
    ['core/operations', 'express'],
    ['lib', 'express-openapi-validator'],
    ['cmd', 'pg'],
  ])('forbid that %s imports the package %s', (folder, from) => {
    expect(layerViolations(`${folder}/planted.ts`, `import { a } from '${from}'\n`)).toHaveLength(1)
  })

  it.each([
    ['core/storage/resources', 'pg'],
    ['core/storage/database', '@prisma/adapter-pg'],
    ['core/storage/database', '../../../generated/prisma/client.ts'],
    ['core/search/sql', 'sql-template-tag'],
    ['http/server', 'express'],
    ['lib', 'pino'],
  ])('allow that %s imports the package %s', (folder, from) => {
    expect(layerViolations(`${folder}/planted.ts`, `import { a } from '${from}'\n`)).toEqual([])
  })

  it('allow some folders to import only types', () => {
    const from = '../../../generated/prisma/client.ts'
    const file = 'core/storage/resources/planted.ts'
    expect(layerViolations(file, `import type { A } from '${from}'\n`)).toEqual([])
    expect(layerViolations(file, `import { a } from '${from}'\n`)).toHaveLength(1)
  })

  it('have a row for every source folder', async () => {
    const sources = await readdir('src', { recursive: true })
    const strays = sources
      .filter((file) => file.endsWith('.ts') && !file.startsWith('generated/'))
      .filter((file) => !Object.keys(LAYERS).some((row) => file.startsWith(`${row}/`)))
    expect(strays).toEqual([])
  })

  it('fail the check if one file violates them', async () => {
    const tree = await mkdtemp(path.join(os.tmpdir(), 'flotilla-layers-'))
    try {
      await mkdir(path.join(tree, 'lib/json'), { recursive: true })
      await writeFile(path.join(tree, 'lib/json/good.ts'), `import { a } from '../a.ts'\n`)
      const root = pathToFileURL(`${tree}/`)
      expect(await checkLayers(root)).toBeNull()
      await writeFile(path.join(tree, 'lib/json/bad.ts'), `import { a } from '../../cmd/a.ts'\n`)
      expect(await checkLayers(root)).toContain('src/lib/json/bad.ts: lib may not import cmd')
    } finally {
      await rm(tree, { recursive: true, force: true })
    }
  })
})
