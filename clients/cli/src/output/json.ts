/** JSON as people and programs read it, with a line break at the end. */
export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
