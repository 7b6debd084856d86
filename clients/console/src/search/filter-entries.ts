import type { PaletteEntry } from './palette-entry.ts'

/** The entries that contain all words of a text. Those that begin with the text come first. */
export function filterEntries(
  entries: readonly PaletteEntry[],
  text: string,
): readonly PaletteEntry[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return entries
  const words = wanted.split(/\s+/)
  const found = entries.filter(({ label, detail = '', group }) => {
    const content = `${label} ${detail} ${group}`.toLowerCase()
    return words.every((word) => content.includes(word))
  })
  const begins = ({ label }: PaletteEntry) => Number(label.toLowerCase().startsWith(wanted))
  return [...found].sort((a, b) => begins(b) - begins(a))
}
