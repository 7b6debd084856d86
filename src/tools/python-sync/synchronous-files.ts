import { readdir, readFile } from 'node:fs/promises'
import { synchronous } from './synchronous.ts'

const PACKAGE = 'clients/python/src/flotilla'
/** Modules that each client has in a form written by hand. */
const WRITTEN: ReadonlySet<string> = new Set(['__init__.py', 'runtime.py'])

/** The modules of the synchronous Python client, by path. */
export async function synchronousFiles(root: URL): Promise<readonly (readonly [string, string])[]> {
  const names = await readdir(new URL(`${PACKAGE}/_async/`, root))
  const modules = names.filter((name) => name.endsWith('.py') && !WRITTEN.has(name)).sort()
  return Promise.all(
    modules.map(async (name) => {
      const source = await readFile(new URL(`${PACKAGE}/_async/${name}`, root), 'utf8')
      return [`${PACKAGE}/_sync/${name}`, synchronous(source)] as const
    }),
  )
}
