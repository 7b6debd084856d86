/** Whether a search contains a clause that a button has added. */
export function hasClause(search: string, clause: string): boolean {
  return search.includes(clause)
}

/** Adds a clause to a search with `and`, or removes it. */
export function toggleClause(search: string, clause: string): string {
  const text = search.trim()
  if (text === '') return clause
  if (!hasClause(text, clause)) return `${hasOr(text) ? `(${text})` : text} and ${clause}`
  return text
    .replace(` and ${clause}`, '')
    .replace(`${clause} and `, '')
    .replace(clause, '')
    .replace(/^\(([^()]*)\)$/, '$1')
    .trim()
}

function hasOr(search: string): boolean {
  return /\bor\b/i.test(search.replaceAll(/'(?:[^']|'')*'/g, ''))
}
