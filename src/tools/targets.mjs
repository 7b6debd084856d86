import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runProgram } from './run-program.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const PACKAGES = ['package.json', 'package-lock.json']

/** Prisma's client, which the sources of the server import. */
export const PRISMA_CLIENT = {
  name: "Prisma's client",
  root,
  out: 'src/generated/prisma',
  sources: ['prisma/schema.prisma', ...PACKAGES],
  build: generateClient,
}

/** The protocol of sandbox drivers in TypeScript. */
export const DRIVER_PROTOCOL = {
  name: 'the protocol of sandbox drivers',
  root,
  out: 'src/sandboxes/drivers/generated/proto',
  sources: ['src/sandboxes/drivers/proto', ...PACKAGES],
  build: generateProtocol,
}

/** The folders with generated sources, which nothing in the repository works without. */
export const GENERATED_SOURCES = [PRISMA_CLIENT, DRIVER_PROTOCOL]

/** The server, its controllers and the runtime of sandboxes. */
export const SERVER = {
  name: 'the server',
  root,
  out: 'dist',
  sources: ['tsconfig.json', 'tsconfig.build.json', ...PACKAGES, 'src', 'openapi'],
  needs: GENERATED_SOURCES,
  build: async (/** @type {string} */ folder) => {
    await compile('tsconfig.build.json', folder)
    copyYaml(path.join(root, 'src'), folder)
    await writeYamlAsJson(['openapi', 'src'], path.resolve(root, folder, 'yaml-files.json'))
    // Not every target needs the bundler.
    const { bundleServer } = await import('./bundle-server.mjs')
    await bundleServer(path.resolve(root, folder))
  },
}

/** The `flotilla` command, with the SDK that it uses. */
export const COMMAND = {
  name: 'the command',
  root,
  out: 'clients/cli/dist',
  sources: ['tsconfig.json', ...PACKAGES, 'clients/cli', 'clients/typescript/src'],
  build: bundleCommand,
}

/** The static files of the console. */
export const CONSOLE = {
  name: 'the console',
  root,
  out: 'clients/console/dist',
  sources: ['tsconfig.json', ...PACKAGES, 'clients/console', 'clients/typescript/src'],
  build: (/** @type {string} */ folder) =>
    runProgram(
      process.execPath,
      [
        path.join(root, 'node_modules/vite/bin/vite.js'),
        'build',
        '--logLevel',
        'warn',
        '--outDir',
        folder,
      ],
      {
        cwd: path.join(root, 'clients/console'),
        // Otherwise NODE_ENV of a developer or a test would build React's slow variant.
        env: { ...process.env, NODE_ENV: 'production' },
      },
    ),
}

/** In an order in which each can be built. */
export const TARGETS = [...GENERATED_SOURCES, SERVER, COMMAND, CONSOLE]

/** @param {string} folder */
async function generateClient(folder) {
  // The schema names the folder of its client relative to itself.
  const copy = mkdtempSync(path.join(os.tmpdir(), 'flotilla-prisma-'))
  try {
    const schema = path.join(copy, 'prisma/schema.prisma')
    cpSync(path.join(root, 'prisma/schema.prisma'), schema)
    const prisma = path.join(root, 'node_modules/prisma/build/index.js')
    const args = [prisma, 'generate', '--schema', schema, '--no-hints']
    // A failure contains the messages.
    await promisify(execFile)(process.execPath, args, {
      cwd: root,
      env: {
        ...process.env,
        // Without this, Prisma downloads its schema engine, which `generate` does not need.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        CHECKPOINT_DISABLE: '1',
      },
    })
    cpSync(path.join(copy, PRISMA_CLIENT.out), folder, { recursive: true })
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** @param {string} folder */
async function generateProtocol(folder) {
  const bin = path.join(root, 'node_modules/.bin')
  const plugin = { local: path.join(bin, 'protoc-gen-es'), out: folder, opt: ['target=ts'] }
  const template = JSON.stringify({ version: 'v2', plugins: [plugin] })
  const args = ['generate', 'src/sandboxes/drivers/proto', '--template', template]
  await promisify(execFile)(path.join(bin, 'buf'), args, { cwd: root })
}

/**
 * @param {string} project
 * @param {string} folder
 */
async function compile(project, folder) {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const args = ['-p', project, '--noEmit', 'false', '--outDir', folder]
  await runProgram(process.execPath, [compiler, ...args], { cwd: root })
}

/**
 * A command runs for a moment, so it loads few files: one for each command and one for shared code.
 * @param {string} folder
 */
async function bundleCommand(folder) {
  const { build } = await import('rolldown')
  await build({
    input: path.join(root, 'clients/cli/src/main.ts'),
    platform: 'node',
    // Node 20 lacks `using`.
    transform: { target: 'node20' },
    // An optional dependency of the SDK, which the command does not use.
    external: ['@kubernetes/client-node'],
    tsconfig: path.join(root, 'clients/cli/tsconfig.json'),
    logLevel: 'warn',
    output: {
      dir: folder,
      format: 'esm',
      sourcemap: true,
      chunkFileNames: 'chunks/[name]-[hash].js',
    },
  })
}

/**
 * @param {string} from
 * @param {string} to
 */
function copyYaml(from, to) {
  for (const file of yamlFiles(from)) cpSync(path.join(from, file), path.join(to, file))
}

/** @param {string} folder */
function yamlFiles(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.yaml'))
}

/** Generated documents, which no server reads. */
const GENERATED_YAML = ['kplane.yaml', 'openapi.yaml', 'published.yaml']

/**
 * Writes the texts of YAML files with their JSON, for src/hyperfleet/openapi/load.ts: to parse them
 * takes 50 ms in each start, whose code is cold.
 * @param {readonly string[]} folders
 * @param {string} out
 */
async function writeYamlAsJson(folders, out) {
  const { CORE_SCHEMA, load } = await import('js-yaml')
  const entries = folders.flatMap((name) => {
    const folder = path.join(root, name)
    const files = yamlFiles(folder).filter((file) => !GENERATED_YAML.includes(file))
    return files.map((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8')
      return [text, JSON.stringify(load(text, { schema: CORE_SCHEMA }))]
    })
  })
  writeFileSync(out, JSON.stringify(entries))
}
