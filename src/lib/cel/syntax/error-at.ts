/** An error with the line of the expression and a mark below the place. */
export function errorAt(text: string, at: number, message: string): string {
  const before = text.slice(0, at).split('\n')
  const column = (before.at(-1) ?? '').length
  const line = text.split('\n')[before.length - 1] ?? ''
  const mark = `${'.'.repeat(column)}^`
  return `ERROR: <input>:${before.length}:${column + 1}: ${message}\n | ${line}\n | ${mark}`
}
