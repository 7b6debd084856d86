/** The path to a value in nested objects and lists: keys, and indexes from 0. */
export type FieldPath = readonly (string | number)[]

/** Formats a path for messages: `references[0].type`. */
export function formatPath(path: FieldPath): string {
  return path.reduce<string>((shown, step) => {
    if (typeof step === 'number') return `${shown}[${step}]`
    return shown === '' ? step : `${shown}.${step}`
  }, '')
}
