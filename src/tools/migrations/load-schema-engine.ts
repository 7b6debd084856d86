import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'

type Exports = Readonly<Record<string, unknown>>
type SchemaEngineClass = typeof SchemaEngine

interface Bindings {
  readonly SchemaEngine: SchemaEngineClass
  __wbg_set_wasm(exports: Exports): void
}

/** The part of `WebAssembly` that this file uses. Only browser type definitions declare it. */
interface WebAssembly {
  instantiate(binary: Uint8Array, imports: object): Promise<{ instance: { exports: Exports } }>
}

let loading: Promise<SchemaEngineClass> | null = null

/** Loads Prisma's schema engine once, because its bindings support one instance. */
export function loadSchemaEngine(): Promise<SchemaEngineClass> {
  loading ??= load()
  return loading
}

/** The package expects a bundler, so Node must load the binary explicitly. */
async function load(): Promise<SchemaEngineClass> {
  const { resolve } = createRequire(import.meta.url)
  const folder = path.dirname(resolve('@prisma/schema-engine-wasm'))
  const file = pathToFileURL(path.join(folder, 'schema_engine_bg.js')).href
  const bindings: Bindings = await import(file)
  const binary = await readFile(path.join(folder, 'schema_engine_bg.wasm'))
  const assembly: WebAssembly = Reflect.get(globalThis, 'WebAssembly')
  const { instance } = await assembly.instantiate(binary, { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  // The engine reports panics to this global before it throws.
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: console.error } })
  const start = instance.exports['__wbindgen_start']
  if (typeof start === 'function') start()
  return bindings.SchemaEngine
}
