import { stringify } from 'yaml'

/** Formats a value as YAML without line folding, so that diffs stay small. */
export function toYaml(value: unknown): string {
  if (isEmptyObject(value)) return ''
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}
