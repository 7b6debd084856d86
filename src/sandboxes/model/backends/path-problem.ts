/** Why a path of a store is unsafe; null if it is safe. */
export function pathProblem(path: string): string | null {
  if (path.includes('\0')) return 'must not contain NUL'
  return path.split(/[/\\]/).includes('..') ? 'must not contain ".."' : null
}
