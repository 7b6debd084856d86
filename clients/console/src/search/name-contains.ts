/** A TSL expression for names that contain a text, in either letter case. */
export function nameContains(text: string): string {
  const pattern = text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)
  return `name ilike '%${pattern.replaceAll("'", "''")}%'`
}
