const PRINTABLE_ASCII = /^[ -~]*$/

/**
 * A function that returns how many columns a text takes. Only texts with other characters than ASCII
 * load the tables of wide characters, which are slow to load.
 */
export async function textWidth(texts: Iterable<string>): Promise<(text: string) => number> {
  for (const text of texts) {
    if (PRINTABLE_ASCII.test(text)) continue
    const { default: stringWidth } = await import('string-width')
    return stringWidth
  }
  return (text) => text.length
}
