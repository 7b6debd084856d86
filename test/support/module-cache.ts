import { accessSync, constants, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/**
 * The folder of all caches of tests, relative to the clone. Every user has one, because PostgreSQL only
 * runs as the owner of its files. A user who may not write to the clone has none.
 */
export const TEST_CACHE = `node_modules/.flotilla-tests-${process.getuid?.() ?? 0}`
const FOLDER = `${ROOT}${TEST_CACHE}/modules`
/** The environment of files for the global setup, whose stack traces fail with cached modules. */
const GLOBAL_SETUP = '__vitest__'

/** Vitest keeps compiled modules by the digest of their text, for all runs of a configuration. */
export const moduleCache = { fsModuleCache: isWritable(), fsModuleCachePath: FOLDER }

export const moduleCachePlugin: Plugin = {
  name: 'flotilla-module-cache',
  configureVitest: ({ experimental_defineCacheKeyGenerator: excludeIf }) =>
    excludeIf(({ environment }) => (environment.name === GLOBAL_SETUP ? false : undefined)),
}

function isWritable(): boolean {
  try {
    mkdirSync(FOLDER, { recursive: true })
    accessSync(FOLDER, constants.W_OK)
    return true
  } catch {
    return false
  }
}
