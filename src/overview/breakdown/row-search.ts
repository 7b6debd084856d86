import { conditionType } from '../../hyperfleet/statuses/conditions/condition-type.ts'
import { MAX_VALUE_LENGTH } from '../storage/break-down.ts'
import { type BreakdownField, fieldName } from './breakdown-field.ts'
import type { BreakdownRow } from './breakdown-row.ts'

type Row = Pick<BreakdownRow, 'adapter' | 'reason' | 'values' | 'failing' | 'count'>

const NOT_READY = "status.conditions.Ready='False'"

/**
 * The search that finds the resources of a row; null for a reason without its adapter, which can be
 * in any condition.
 */
export function rowSearch(fields: readonly BreakdownField[], row: Row): string | null {
  const has = (type: BreakdownField['type']): boolean => fields.some((field) => field.type === type)
  if (has('reason') && !has('adapter')) return null
  const named = fields.filter(({ type }) => type === 'label' || type === 'spec')
  const values = named.map((field, index) =>
    valueSearch(fieldName(field), row.values[index] ?? null),
  )
  return [NOT_READY, ...causeSearch(row, has('reason')), ...values].join(' and ')
}

function causeSearch({ adapter, reason, failing }: Row, hasReason: boolean): readonly string[] {
  if (adapter === null) return []
  const condition = `status.conditions.${conditionType(adapter)}`
  const generation = `${condition}.observed_generation`
  if (!hasReason)
    return [`(${condition} is null or ${condition}='False' or ${generation} != generation)`]
  if (failing > 0) {
    const reported = `${condition}.reason=${quoted(reason ?? '')}`
    return [`${condition}='False'`, `${generation} = generation`, reported]
  }
  switch (reason) {
    case 'Missing':
      return [`${condition} is null`]
    case 'Behind':
      return [`${generation} < generation`]
    default:
      return [`${generation} > generation`]
  }
}

function valueSearch(field: string, value: string | null): string {
  if (value === null) return `${field} is null`
  if (Array.from(value).length < MAX_VALUE_LENGTH) return `${field}=${quoted(value)}`
  return `${field} between ${quoted(value)} and ${quoted(`${value}\u{10ffff}`)}`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
