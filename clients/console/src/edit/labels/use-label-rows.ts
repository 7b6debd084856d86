import { useState } from 'react'
import { isEqual } from '../json/is-equal.ts'
import { type LabelRow, rowsOf } from './label-rows.ts'

/**
 * The rows of labels that live in a text. Rows that are not labels yet, such as one without a key,
 * stay until the text changes.
 */
export function useLabelRows(
  labels: Readonly<Record<string, unknown>>,
  onChange: (labels: Readonly<Record<string, string>>) => void,
): { readonly rows: readonly LabelRow[]; readonly change: (rows: readonly LabelRow[]) => void } {
  const [typed, setTyped] = useState<readonly LabelRow[]>([])
  const rows = isEqual(labelsOf(typed), labels) ? typed : rowsOf(textsOf(labels))
  return {
    rows,
    change: (next) => {
      setTyped(next)
      onChange(labelsOf(next))
    },
  }
}

function labelsOf(rows: readonly LabelRow[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    rows.filter(({ key }) => key !== '').map(({ key, value }) => [key, value]),
  )
}

function textsOf(labels: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  )
}
