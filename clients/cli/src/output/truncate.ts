/** Shortens a text to a width, with an ellipsis at the end if something is missing. */
export function truncate(text: string, width: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    used += widthOf(character)
    if (used > width - 1) break
    kept += character
  }
  return `${kept}…`
}
