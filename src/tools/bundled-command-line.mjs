// The build replaces dist/cmd/command-line.js by this file.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

// Node 20 lacks it. Without it, the package pg loads the whole of fetch to detect Cloudflare.
if (!('navigator' in globalThis)) {
  const userAgent = `Node.js/${process.versions.node.split('.')[0]}`
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent }, configurable: true })
}

const folder = fileURLToPath(new URL('.', import.meta.url))
const file = path.join(folder, 'program.cjs')
const code = path.join(folder, 'program.code')
const parameters = 'module, exports, require, importModule, __filename, __dirname'

/** The program with the code that V8 made of it. Another version of V8 ignores that code. */
export const program = new vm.Script(
  `(function (${parameters}) {${readFileSync(file, 'latin1')}\n})`,
  {
    // Compiled code contains this name for stack traces.
    filename: 'dist/cmd/program.cjs',
    ...(existsSync(code) && { cachedData: readFileSync(code) }),
  },
)

/** @type {{ exports: Partial<typeof import('../cmd/command-line.ts')> }} */
const module = { exports: {} }
const importModule = (/** @type {string} */ name) => import(name)
const run = program.runInThisContext()
run(module, module.exports, createRequire(file), importModule, file, folder)

export const { runFromCommandLine } = module.exports
