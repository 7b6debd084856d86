/** A completion of a search. */
export interface SearchOption {
  readonly label: string
  /** Replaces the begun text. */
  readonly insert: string
  readonly detail?: string | undefined
}

/** Quotes a text for a search. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** The parts of a key between single dots, of characters that need no quotes. */
const BARE_KEY = /^[\w/-]+(?:\.[\w/-]+)*$/

/** The field of a label, as the server writes it. */
export function labelField(key: string): string {
  return BARE_KEY.test(key) ? `labels.${key}` : `labels."${key.replaceAll('"', '""')}"`
}

/** The key of the label that a field names; null if the field is no label. */
export function labelKeyOf(field: string): string | null {
  if (!field.startsWith('labels.')) return null
  const key = field.slice('labels.'.length)
  if (!key.startsWith('"')) return key
  return key.replace(/^"/, '').replace(/"$/, '').replaceAll('""', '"')
}
