/**
 * Whether a symbolic link may point outside the archive: absolute targets, targets that climb above
 * the archive's first folder, and `..` after a name, which another link could redirect.
 */
export function isOutsideLink(path: string, target: string): boolean {
  if (target.startsWith('/')) return true
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const climbs = parts.findIndex((part) => part !== '..')
  const leading = climbs === -1 ? parts.length : climbs
  if (parts.includes('..', leading)) return true
  return leading >= path.split('/').length - 1
}
