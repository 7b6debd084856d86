import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { must } from '../../lib/assert.ts'
import { type ExportedName, exportedNames } from './exported-names.ts'
import { librarySection } from './library-section.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Removing the folder is always safe. */
const DECLARATIONS = path.join(ROOT, 'node_modules/.cache/flotilla-check/declarations')
const FOLDER = path.join(ROOT, 'src/exports')

interface EntryPoint {
  /** The import, such as `flotilla/planes`. */
  readonly specifier: string
  readonly text: string
  readonly names: readonly ExportedName[]
}

/** Generates a page in docs/library for each entry point, from the declarations of the compiler. */
export async function libraryPages(): Promise<readonly (readonly [string, string])[]> {
  const entries = await Promise.all((await entryFiles()).map(readEntry))
  await emitDeclarations()
  const published = new Set(entries.flatMap(({ names }) => names.map(({ name }) => name)))
  return Promise.all(
    entries.map(async (entry) => [fileOf(entry), await pageOf(entry, published)] as const),
  )
}

/** The entry points of the package, without their extension. */
async function entryFiles(): Promise<readonly string[]> {
  const manifest: { exports: Record<string, { default: string } | string> } = JSON.parse(
    await readFile(path.join(ROOT, 'package.json'), 'utf8'),
  )
  const exported = Object.values(manifest.exports)
    .filter((target) => typeof target !== 'string')
    .map(({ default: file }) => path.relative('dist/exports', file).replace(/\.js$/, ''))
  const files = (await readdir(FOLDER, { recursive: true }))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.replace(/\.ts$/, ''))
  const lost = files.filter((file) => !exported.includes(file))
  if (lost.length > 0) throw new Error(`package.json does not export src/exports/${lost.join()}`)
  return exported
}

async function readEntry(file: string): Promise<EntryPoint> {
  const text = await readFile(path.join(FOLDER, `${file}.ts`), 'utf8')
  const specifier = file === 'flotilla' ? file : `flotilla/${file}`
  return { specifier, text, names: exportedNames(text) }
}

/** Emits the declarations of files that have changed since the last time. */
async function emitDeclarations(): Promise<void> {
  const tsc = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const cache = ['--incremental', '--tsBuildInfoFile', `${DECLARATIONS}/.tsbuildinfo`]
  const options = ['--noCheck', '--emitDeclarationOnly', '--outDir', DECLARATIONS, ...cache]
  await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.build.json', ...options], {
    cwd: ROOT,
  })
}

function fileOf({ specifier }: EntryPoint): string {
  return `docs/library/${specifier.replaceAll('/', '-')}.md`
}

async function pageOf(
  { specifier, text, names }: EntryPoint,
  published: ReadonlySet<string>,
): Promise<string> {
  const [, summary = ''] = must(/^\/\*\* (.+) \*\/\n/.exec(text), `a comment of ${specifier}`)
  const sorted = names.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const sections = await Promise.all(
    sorted.map(async ({ name, module }) => {
      const declarations = await readFile(path.join(DECLARATIONS, `${module}.d.ts`), 'utf8')
      return librarySection({ name, module, declarations, published })
    }),
  )
  return `# ${specifier}

<!-- Generated from src/exports by \`npm run openapi\`. -->

${summary} [All entry points](README.md)

${sections.join('\n')}`
}
