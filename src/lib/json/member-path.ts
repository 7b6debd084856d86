/** Where a value stands in nested objects and lists: keys, and places counted from 0. */
export type MemberPath = readonly (string | number)[]

/** The path as people write it: `references[0].type`. */
export function shownPath(path: MemberPath): string {
  return path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`
    return shown === '' ? step : `${shown}.${step}`
  }, '')
}
