import { readdir, readFile } from 'node:fs/promises'
import { foreignNames } from './foreign-names.ts'
import { layerViolations } from './layer-violations.ts'

/**
 * Lists the imports below a source folder that the table of layers forbids, and the names of the
 * HyperFleet API in folders that serve any API, or returns null.
 */
export async function checkLayers(
  root = new URL('../../', import.meta.url),
): Promise<string | null> {
  const files = (await readdir(root, { recursive: true })).filter(isChecked)
  const problems = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(new URL(file, root), 'utf8')
      const imports = file.endsWith('.ts') ? layerViolations(file, text) : []
      return [...imports, ...foreignNames(file, text)]
    }),
  )
  const found = problems.flat()
  return found.length === 0 ? null : found.sort().join('\n')
}

/** Tests may import and name anything; the generated client imports only itself. */
function isChecked(file: string): boolean {
  return (
    /\.(ts|md)$/.test(file) &&
    !/\.test\.ts$|(^|\/)fixtures\.ts$/.test(file) &&
    !file.startsWith('generated/')
  )
}
