import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runTool } from '../../drills/run-tool.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const PACKAGE = path.join(ROOT, 'clients/typescript')
const TIMEOUT_MS = 120_000

interface CompilerOptions {
  readonly target: string
  readonly lib: readonly string[]
  readonly module: string
  readonly moduleResolution: string
  readonly types: readonly string[]
}

/** A project that uses the packed SDK. */
export interface Consumer extends AsyncDisposable {
  readonly folder: string
  /** The names of the files in the tarball. */
  readonly files: readonly string[]
  /** Compiles the project in strict mode. Rejects with the errors. */
  compile(): Promise<void>
  /** Checks the types of one program with other options. Rejects with the errors. */
  checkTypes(program: string, options: CompilerOptions): Promise<void>
  /** Runs a compiled program with Node and returns its output. */
  run(program: string, env: NodeJS.ProcessEnv): Promise<string>
}

/** The options of the strictest consumers; declarations of packages are checked too. */
const COMPILER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable', 'dom'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  types: ['node'],
  outDir: 'out',
  rootDir: '.',
}

/** Packs the SDK, installs the tarball in a new project, and adds programs to it. */
export async function createConsumer(
  programs: Readonly<Record<string, string>> = {},
): Promise<Consumer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-consumer-'))
  const tool = (program: string, args: readonly string[], cwd = folder, env = {}) =>
    runTool(program, args, { cwd, timeoutMs: TIMEOUT_MS, env })
  const packed = await tool(
    'npm',
    ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder],
    PACKAGE,
  )
  const tarball = packed.trim().split('\n').at(-1) ?? ''
  const manifest = { name: 'consumer', private: true, type: 'module' }
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest))
  await tool('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`])
  await mkdir(path.join(folder, 'node_modules/@types'), { recursive: true })
  for (const name of ['@types/node', 'undici-types']) {
    await symlink(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name))
  }
  await cp(path.join(PACKAGE, 'examples'), path.join(folder, 'examples'), { recursive: true })
  await rm(path.join(folder, 'examples/tsconfig.json'))
  const tsconfig = { compilerOptions: COMPILER_OPTIONS, include: ['*.ts', 'examples/*.ts'] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(path.join(folder, name), text)
  }
  return {
    folder,
    files: await readdir(path.join(folder, 'node_modules/@flotilla/client'), { recursive: true }),
    compile: async () => {
      await tool(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', '.'])
    },
    checkTypes: async (program, options) => {
      const compilerOptions = { ...options, strict: true, skipLibCheck: false, noEmit: true }
      const file = path.join(folder, `tsconfig-${randomUUID()}.json`)
      await writeFile(file, JSON.stringify({ compilerOptions, files: [program] }))
      await tool(path.join(ROOT, 'node_modules/.bin/tsc'), ['-p', file])
    },
    run: (program, env) => tool(process.execPath, [path.join('out', program)], folder, env),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
