/** Whether PostgreSQL can store this text: it rejects U+0000. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0')
}
