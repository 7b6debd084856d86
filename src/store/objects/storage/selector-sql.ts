import sql, { join, raw, type Sql } from 'sql-template-tag'
import { unreachable } from '../../../lib/assert.ts'
import type { FieldRequirement, LabelRequirement, ObjectSelector } from '../model/object-query.ts'

/** The conditions of a selector on `objects`. `matches-selector.ts` expresses the same in memory. */
export function selectorConditions({ labels, fields }: ObjectSelector): readonly Sql[] {
  return [...labels.map(labelCondition), ...fields.map(fieldCondition)]
}

/** The condition of the index of labels. */
const LABELLED = sql`objects.labels <> '{}'::jsonb`

function labelCondition(requirement: LabelRequirement): Sql {
  const { key } = requirement
  switch (requirement.operator) {
    case 'in': {
      const alternatives = requirement.values.map(
        (value) => sql`objects.labels @> ${JSON.stringify({ [key]: value })}::jsonb`,
      )
      if (alternatives.length === 0) return sql`false`
      return sql`(${LABELLED} and (${join(alternatives, ' or ')}))`
    }
    case 'not-in':
      return sql`coalesce(objects.labels ->> ${key}::text <> all(${requirement.values}::text[]), true)`
    case 'exists':
      return sql`(${LABELLED} and objects.labels ? ${key}::text)`
    case 'absent':
      return sql`not objects.labels ? ${key}::text`
    case 'greater':
    case 'less':
      return integerCondition(key, requirement.operator, requirement.value)
    default:
      return unreachable(requirement)
  }
}

/** `case` keeps PostgreSQL from casting text that is not an integer. */
function integerCondition(key: string, operator: 'greater' | 'less', value: bigint): Sql {
  const text = sql`(objects.labels ->> ${key}::text)`
  const comparison = raw(operator === 'greater' ? '>' : '<')
  return sql`(${LABELLED} and objects.labels ? ${key}::text and case when ${text} ~ '^[+-]?[0-9]{1,63}$'
    then ${text}::numeric between -9223372036854775808 and 9223372036854775807
      and ${text}::numeric ${comparison} ${String(value)}::numeric
    else false end)`
}

function fieldCondition({ field, operator, value }: FieldRequirement): Sql {
  const comparison = raw(operator === 'equals' ? '=' : '<>')
  return sql`${fieldText(field)} ${comparison} ${value}::text`
}

function fieldText(field: string): Sql {
  if (field === 'metadata.name') return raw('objects.name')
  if (field === 'metadata.namespace') return raw('objects.namespace')
  const paths = field.split('|').map((path) => sql`objects.body #>> ${path.split('.')}::text[]`)
  const texts = paths.length === 1 ? paths : paths.map((text) => sql`nullif(${text}, '')`)
  return sql`coalesce(${join(texts)}, '')`
}
