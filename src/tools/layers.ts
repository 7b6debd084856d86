/** A layer of src/: a folder, or the named files of src/ itself. */
interface Layer {
  readonly files: readonly string[]
  /** The layers that it may import besides itself. */
  readonly imports: readonly LayerName[]
  /** The layers of which it may import types only. */
  readonly importsTypes?: readonly LayerName[]
}

type LayerName =
  | 'lib'
  | 'model'
  | 'expressions'
  | 'registry'
  | 'search'
  | 'status'
  | 'storage'
  | 'feed'
  | 'operations'
  | 'http'
  | 'entities'
  | 'kinds'
  | 'main'
  | 'tools'

const DECLARING: readonly LayerName[] = ['lib', 'model', 'expressions', 'registry']
const DECIDING: readonly LayerName[] = [...DECLARING, 'search', 'status']
const ACTING: readonly LayerName[] = [...DECIDING, 'storage', 'feed', 'operations', 'http']

/** Who may import whom: dependencies point one way. */
export const LAYERS: Readonly<Record<LayerName, Layer>> = {
  lib: { files: ['lib/'], imports: [] },
  model: { files: ['core/model/'], imports: ['lib'] },
  expressions: { files: ['core/expressions/'], imports: ['lib'] },
  registry: { files: ['core/registry/'], imports: ['lib', 'model', 'expressions'] },
  search: { files: ['core/search/'], imports: DECLARING },
  status: { files: ['core/status/'], imports: DECLARING },
  storage: { files: ['core/storage/'], imports: DECIDING },
  feed: { files: ['core/feed/'], imports: [...DECIDING, 'storage'] },
  operations: { files: ['core/operations/'], imports: [...DECIDING, 'storage', 'feed'] },
  http: { files: ['core/http/'], imports: [...DECIDING, 'storage', 'feed', 'operations'] },
  entities: { files: ['entities/'], imports: DECLARING },
  kinds: { files: ['kinds/'], imports: ['model', 'registry'], importsTypes: ['status'] },
  main: {
    files: [
      'command-line.ts',
      'config.ts',
      'main.ts',
      'readiness.ts',
      'server.ts',
      'shared-settings.ts',
      'welcome.ts',
    ],
    imports: [...ACTING, 'entities', 'kinds'],
  },
  tools: { files: ['tools/'], imports: [...ACTING, 'entities', 'kinds', 'main'] },
}

/** What only some layers may import: packages, and the code that Prisma generates. */
export const RESTRICTED: readonly {
  readonly name: string
  /** Matches the text of the import. */
  readonly pattern: string
  readonly layers: readonly LayerName[]
}[] = [
  { name: 'pg', pattern: '^pg(-|/|$)', layers: ['storage', 'tools'] },
  { name: 'Prisma', pattern: '^@?prisma/|/prisma-client/', layers: ['storage', 'tools'] },
  {
    name: 'sql-template-tag',
    pattern: '^sql-template-tag',
    layers: ['search', 'storage', 'operations'],
  },
  { name: 'express', pattern: '^express(-|/|$)', layers: ['http'] },
  { name: 'cel-js', pattern: '^@marcbachmann/cel-js', layers: ['expressions'] },
]
