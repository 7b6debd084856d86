import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkLayers } from '../../src/tools/layers/check-layers.ts'
import { crowdedFolders } from '../../src/tools/layers/crowded-folders.ts'
import { foreignNames } from '../../src/tools/layers/foreign-names.ts'
import { layerViolations } from '../../src/tools/layers/layer-violations.ts'
import { FOUNDATION } from '../../src/tools/layers/foundation-layers.ts'
import { LAYERS } from '../../src/tools/layers/layers.ts'

/** Folders from the bottom to the top. A folder may import folders of earlier rows only. */
const CHAIN = [
  ['lib'],
  ['store/model'],
  ['store/registry'],
  ['store/search/language'],
  ['store/search/bind'],
  ['store/search/sql', 'store/search/memory'],
  ['store/database'],
  ['store/references', 'store/status-records'],
  ['store/resources'],
  ['store/changes'],
  ['store/feed'],
  ['store/operations'],
  ['store/operations/watch'],
  ['hyperfleet/statuses/conditions'],
  ['hyperfleet/statuses/validation', 'hyperfleet/statuses/storage'],
  ['hyperfleet/statuses/operations'],
  ['hyperfleet/paths', 'hyperfleet/errors'],
  ['hyperfleet/query'],
  ['hyperfleet/wire'],
  ['hyperfleet/openapi', 'hyperfleet/validation', 'hyperfleet/watch'],
  ['hyperfleet/verbs', 'hyperfleet/service'],
  ['hyperfleet/routes'],
  ['adapter-work', 'audit', 'history', 'shards', 'snapshots', 'webhooks'],
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
  ['store/operations', 'http/server'],
  ['store/resources', 'http/json'],
  ['hyperfleet/statuses/operations', 'http/server'],
  ['hyperfleet/statuses/conditions', 'store/resources'],
  ['store/search/sql', 'store/search/memory'],
  ['embedded-postgres', 'store/database'],
  ['hyperfleet/kinds', 'hyperfleet/statuses/operations'],
  ['hyperfleet/kinds', 'store/resources'],
  ['hyperfleet/configured-kinds', 'http/server'],
  ['hyperfleet', 'planes'],
  ['fleets', 'sandboxes'],
  ['webhooks', 'audit'],
  ['http/auth', 'http/validation'],
] as const

function importing(from: string, to: string): readonly string[] {
  const specifier = path.posix.relative(from, `${to}/a.ts`)
  const text = `import { a } from '${specifier.startsWith('.') ? specifier : `./${specifier}`}'\n`
  return layerViolations(`${from}/planted.ts`, text)
}

describe('a folder that serves any API', () => {
  it.each(['lib', 'store/model', 'http', 'capability', 'planes/verbs'])(
    '%s names no resource of the HyperFleet API, in code or comments',
    (folder) => {
      for (const name of ['X-HyperFleet-Identity', 'HYPERFLEET_X', 'NodePool', 'node pools']) {
        expect(foreignNames(`${folder}/planted.ts`, `// ${name}`)).toHaveLength(1)
      }
      expect(foreignNames(`${folder}/planted.ts`, '// fleets, nodes, pools')).toEqual([])
    },
  )

  it('is none of the others', () => {
    expect(foreignNames('hyperfleet/planted.ts', '// HyperFleet')).toEqual([])
  })
})

it('a folder with more than 25 files is reported, in sources and clients', async () => {
  const tree = await mkdtemp(path.join(os.tmpdir(), 'flotilla-folders-'))
  const root = pathToFileURL(`${tree}/`)
  try {
    for (const folder of ['src/a/b', 'src/a', 'clients/c/src/d', 'clients/c/dist']) {
      await mkdir(path.join(tree, folder), { recursive: true })
      for (let at = 0; at < 25; at += 1) await writeFile(path.join(tree, folder, `${at}.ts`), '')
    }
    expect(await crowdedFolders(root)).toBeNull()
    for (const folder of ['src/a/b', 'clients/c/src/d', 'clients/c/dist']) {
      await writeFile(path.join(tree, folder, 'one-more.ts'), '')
    }
    expect(await crowdedFolders(root)).toBe(
      'clients/c/src/d has 26 files: the maximum is 25\nsrc/a/b has 26 files: the maximum is 25',
    )
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
})

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

  it('forbid that the foundation imports an API or a capability', () => {
    const isBelow = (row: string) => FOUNDATION.some((folder) => row.split('/')[0] === folder)
    const rows = Object.keys(LAYERS)
    const allowed = rows.filter(isBelow).flatMap((from) => {
      const above = rows.filter((to) => !isBelow(to) && importing(from, to).length === 0)
      return above.map((to) => `${from} > ${to}`)
    })
    expect(allowed).toEqual([])
  })

  it('forbid that sandboxes import Flotilla by path', () => {
    const rows = Object.keys(LAYERS)
    const allowed = rows
      .filter((row) => row.startsWith('sandboxes/'))
      .flatMap((from) =>
        rows
          .filter((to) => !to.startsWith('sandboxes') && importing(from, to).length === 0)
          .map((to) => `${from} > ${to}`),
      )
    expect(allowed).toEqual(['sandboxes/storage > store/database'])
  })

  it.each([
    ['cmd', 'hyperfleet/kinds'],
    ['hyperfleet', 'store/operations'],
    ['hyperfleet/verbs', 'hyperfleet/wire'],
    ['http/auth', 'access'],
    ['hyperfleet/statuses/operations', 'store/operations'],
    ['store/operations', 'store/resources'],
    ['store/resources', 'store/model'],
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
    expect(layerViolations('store/feed/planted.ts', `${text}\n`)).toHaveLength(1)
  })

  it.each([
    ['store/operations', 'pg'],
    ['http/server', '@prisma/client'],
    ['store/operations', '../../generated/prisma/client.ts'],
    ['http/server', 'sql-template-tag'],
    ['store/operations', 'express'],
    ['lib', 'express-openapi-validator'],
    ['cmd', 'pg'],
    ['cmd', '@connectrpc/connect'],
    ['fleets/controllers', 'flotilla/controllers'],
    ['sandboxes/controllers', 'flotilla/server'],
  ])('forbid that %s imports the package %s', (folder, from) => {
    expect(layerViolations(`${folder}/planted.ts`, `import { a } from '${from}'\n`)).toHaveLength(1)
  })

  it.each([
    ['store/database', 'pg'],
    ['store/database', '@prisma/adapter-pg'],
    ['store/database', '../../generated/prisma/client.ts'],
    ['store/search/sql', 'sql-template-tag'],
    ['http/server', 'express'],
    ['lib', 'pino'],
    ['sandboxes/controllers', 'flotilla/controllers'],
  ])('allow that %s imports the package %s', (folder, from) => {
    expect(layerViolations(`${folder}/planted.ts`, `import { a } from '${from}'\n`)).toEqual([])
  })

  it('allow some folders to import only types', () => {
    const from = '../../generated/prisma/client.ts'
    const file = 'store/resources/planted.ts'
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
      await writeFile(path.join(tree, 'lib/README.md'), '# Library\n\nReads node pools.\n')
      expect((await checkLayers(root))?.split('\n')).toEqual([
        "src/lib/README.md:3: names 'node pool'",
        "src/lib/json/bad.ts: lib may not import cmd (imports '../../cmd/a.ts')",
      ])
    } finally {
      await rm(tree, { recursive: true, force: true })
    }
  })
})
