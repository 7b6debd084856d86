import { stringify } from 'yaml'

/** A value as YAML. Long texts stay on one line, so that a diff shows the changed value only. */
export function toYaml(value: unknown, { sorted = false } = {}): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false, sortMapEntries: sorted })
}
