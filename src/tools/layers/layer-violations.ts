import path from 'node:path'
import { LAYERS, RESTRICTED } from './layers.ts'

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm

/**
 * Lists the imports of a source file that the table of layers forbids, one sentence each. The
 * file's path is relative to src/.
 */
export function layerViolations(file: string, text: string): readonly string[] {
  const folder = path.posix.dirname(file)
  const row = rowOf(folder)
  if (row === null) return [`src/${file}: ${folder} has no row in src/tools/layers/layers.ts`]
  const problems: string[] = []
  for (const [, typeOnly, from, dynamic] of text.matchAll(IMPORT)) {
    const specifier = from ?? dynamic ?? ''
    const problem = specifier.startsWith('.')
      ? folderProblem(row, path.posix.join(folder, specifier), typeOnly !== undefined)
      : packageProblem(folder, specifier)
    if (problem !== null) problems.push(`src/${file}: ${problem} (imports '${specifier}')`)
  }
  return problems
}

function folderProblem(row: string, target: string, typeOnly: boolean): string | null {
  const folder = path.posix.dirname(target)
  if (folder.startsWith('..') || rowOf(folder) === row) return null
  const { imports = [], types = [] } = LAYERS[row] ?? {}
  if (imports.some((allowed) => isInside(folder, allowed))) return null
  if (!types.some((allowed) => isInside(folder, allowed))) return `${row} may not import ${folder}`
  return typeOnly ? null : `${row} may import only types of ${folder}`
}

function packageProblem(folder: string, specifier: string): string | null {
  const rule = RESTRICTED.find(({ pattern }) => pattern.test(specifier))
  if (!rule || rule.folders.some((allowed) => isInside(folder, allowed))) return null
  return `${folder} may not import ${rule.name}`
}

/** The row that applies to a folder: the longest path in the table that contains it. */
function rowOf(folder: string): string | null {
  const rows = Object.keys(LAYERS).filter((row) => isInside(folder, row))
  return rows.reduce<string | null>((best, row) => {
    return best === null || row.length > best.length ? row : best
  }, null)
}

function isInside(folder: string, parent: string): boolean {
  return folder === parent || folder.startsWith(`${parent}/`)
}
