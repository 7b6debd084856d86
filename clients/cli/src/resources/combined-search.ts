import { CliError } from '../errors/cli-error.ts'

/** Labels whose keys need no quotes in a search. */
const REQUIREMENT = /^([^=!]+?)(!=|==?)(.*)$/

interface Selection {
  /** A TSL expression. */
  readonly search?: string | undefined
  /** Labels: `key=value`, `key!=value` or both, separated by commas. */
  readonly labels?: string | undefined
  /** The ID of the parent. */
  readonly owner?: string | undefined
}

/** One TSL expression for `--search`, `-l` and a parent; undefined without any. */
export function combinedSearch({ search, labels, owner }: Selection): string | undefined {
  const parts = [
    ...(owner === undefined ? [] : [`owner_id = '${owner}'`]),
    ...(labels === undefined ? [] : labels.split(',').map(labelSearch)),
    ...(search === undefined ? [] : [search]),
  ]
  return conjunction(parts)
}

/** One TSL expression that matches what all parts match; undefined without parts. */
export function conjunction(parts: readonly string[]): string | undefined {
  if (parts.length < 2) return parts[0]
  return parts.map((part) => `(${part})`).join(' and ')
}

function labelSearch(text: string): string {
  const [, key = '', operator = '', value = ''] = REQUIREMENT.exec(text.trim()) ?? []
  if (key.trim() !== '') {
    const quoted = `'${value.trim().replaceAll("'", "''")}'`
    return `labels.${key.trim()} ${operator === '!=' ? '!=' : '='} ${quoted}`
  }
  throw new CliError(`the label '${text}' lacks a value`, {
    exit: 'usage',
    hint: "Write -l key=value or -l key!=value; --search has more operators, such as labels.key in ('a', 'b').",
  })
}
