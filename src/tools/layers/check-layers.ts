import { readdir, readFile } from 'node:fs/promises'
import { layerViolations } from './layer-violations.ts'

/** Lists the imports below a source folder that the table of layers forbids, or returns null. */
export async function checkLayers(
  root = new URL('../../', import.meta.url),
): Promise<string | null> {
  const files = (await readdir(root, { recursive: true })).filter(isChecked)
  const problems = await Promise.all(
    files.map(async (file) => layerViolations(file, await readFile(new URL(file, root), 'utf8'))),
  )
  const found = problems.flat()
  return found.length === 0 ? null : found.sort().join('\n')
}

/** Tests may import anything; the generated client imports only itself. */
function isChecked(file: string): boolean {
  return (
    file.endsWith('.ts') &&
    !/\.test\.ts$|(^|\/)fixtures\.ts$/.test(file) &&
    !file.startsWith('generated/')
  )
}
