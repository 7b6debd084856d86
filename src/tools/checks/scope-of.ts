/** The files that affect a check. */
export interface Inputs {
  /** A change of one of these files affects the check of all files. */
  readonly whole: RegExp
  /** Each of these files can be checked without the others. */
  readonly single?: RegExp
}

/** The files that a check reads. */
export type Scope = 'everything' | 'nothing' | readonly string[]

/** The files that a check reads after a change. `exists` is false for removed files. */
export function scopeOf(
  { whole, single }: Inputs,
  changed: readonly string[],
  exists: (file: string) => boolean,
): Scope {
  if (changed.some((file) => whole.test(file))) return 'everything'
  const files = changed.filter((file) => single?.test(file) === true && exists(file))
  return files.length === 0 ? 'nothing' : files
}
