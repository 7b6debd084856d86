/** Labels or annotations as one text; null without any. */
export function pairText(pairs: Readonly<Record<string, string>> | undefined): string | null {
  const texts = Object.entries(pairs ?? {}).map(([key, value]) => `${key}=${value}`)
  return texts.length === 0 ? null : texts.join(', ')
}
