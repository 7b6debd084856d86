import { mkdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build as buildWithEsbuild } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { build as buildWithVite } from 'vite'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Consumer, createConsumer } from './consumer.ts'

const KUBERNETES = fileURLToPath(
  new URL('../../../node_modules/@kubernetes/client-node', import.meta.url),
)

const PROGRAM = `
import { Client } from '@flotilla/client'

const { env } = globalThis.process
const client = new Client(env.SERVER)
const { id } = await client.clusters.create({ name: env.NAME })
console.log((await client.clusters.get(id)).name)
await client.plane(id).kubernetes().then(
  (config) => console.log(typeof config.makeApiClient),
  (error) => console.log(error.message),
)
`

/** Bundles the program for a target and returns the names of the bundled modules. */
type Bundle = (target: 'browser' | 'node', out: string) => Promise<readonly string[]>

let server: TestServer
let consumer: Consumer

beforeAll(async () => {
  server = await startTestServer()
  consumer = await createConsumer({ 'page.js': PROGRAM })
  await mkdir(path.join(consumer.folder, 'node_modules/@kubernetes'))
  await symlink(KUBERNETES, path.join(consumer.folder, 'node_modules/@kubernetes/client-node'))
})
afterAll(async () => {
  await consumer[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const esbuild: Bundle = async (target, out) => {
  const { metafile } = await buildWithEsbuild({
    absWorkingDir: consumer.folder,
    entryPoints: ['page.js'],
    bundle: true,
    format: 'esm',
    platform: target,
    outfile: out,
    // CommonJS packages in a bundle of Node need `require`.
    banner:
      target === 'node'
        ? {
            js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`,
          }
        : {},
    metafile: true,
    logLevel: 'silent',
  })
  // A disabled module is an empty one.
  return Object.keys(metafile.inputs).filter((id) => !id.startsWith('(disabled):'))
}

const vite: Bundle = async (target, out) => {
  const modules: string[] = []
  await buildWithVite({
    root: consumer.folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [{ name: 'modules', moduleParsed: ({ id }) => void modules.push(id) }],
    build: {
      target: 'es2022',
      ssr: target === 'node',
      // The preloader needs a document, and this bundle runs in Node.
      modulePreload: false,
      outDir: path.dirname(out),
      rollupOptions: {
        input: path.join(consumer.folder, 'page.js'),
        output: { entryFileNames: path.basename(out) },
      },
    },
  })
  return modules
}

describe.each([
  ['esbuild', esbuild],
  ['Vite', vite],
])('with @kubernetes/client-node installed beside, a bundle by %s', (name, bundle) => {
  test('for browsers runs and contains no code for Node', async () => {
    const modules = await bundle('browser', path.join(consumer.folder, `out/${name}-page.js`))
    expect(modules.some((id) => id.includes('kubernetes/client-node'))).toBe(false)
    const env = { SERVER: server.origin, NAME: `${name.toLowerCase()}-page` }
    expect(await consumer.run(`${name}-page.js`, env)).toBe(
      `${env.NAME}\nkubernetes() does not work in browsers: @kubernetes/client-node needs Node\n`,
    )
  })

  test('for Node still loads the official client', async () => {
    await bundle('node', path.join(consumer.folder, `out/${name}-node.js`))
    const env = { SERVER: server.origin, NAME: `${name.toLowerCase()}-node` }
    expect(await consumer.run(`${name}-node.js`, env)).toBe(`${env.NAME}\nfunction\n`)
  })
})
