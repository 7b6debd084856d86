import { badImage, quote } from './bad-image.ts'

/** Paths must be writable below any directory of a runtime. */
const MAX_PATH = 3000
const MAX_NAME = 255

/** The names of a relative path. Paths that would leave the root are rejected. */
export function namesOf(path: string): string[] {
  const names = path.split('/').filter((name) => name !== '' && name !== '.')
  if (path.startsWith('/')) throw badImage(`the path ${quote(path)} is absolute`)
  if (names.includes('..')) throw badImage(`the path ${quote(path)} contains '..'`)
  const isLong = path.length > MAX_PATH || names.some((name) => name.length > MAX_NAME)
  if (isLong || path.includes('\0')) throw badImage(`the path ${quote(path)} is not allowed`)
  return names
}
