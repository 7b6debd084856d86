import type { ResourceChange } from '../../../../typescript/src/index.ts'
import { differences } from '../../edit/json/differences.ts'

/** A change in words: the action, and the changed values. */
export interface ChangeText {
  readonly action: string
  readonly details: readonly string[]
}

const ACTIONS: Readonly<Record<ResourceChange['type'], string>> = {
  created: 'created the resource',
  updated: 'changed',
  deleted: 'requested the deletion',
  removed: 'completed the deletion',
  reported: 'reported',
}

/** Fields that the details show by their values. */
const SHOWN = ['spec', 'labels', 'conditions', 'generation', 'updated_time', 'updated_by']

/** Describes a change of a resource. */
export function changeText(change: ResourceChange): ChangeText {
  const { type, fields, conditions = [] } = change
  const named = fields.filter((field) => !SHOWN.includes(field))
  const changed = type === 'updated' ? changedFields(fields) : ''
  return {
    action: changed === '' ? ACTIONS[type] : `${ACTIONS[type]} ${changed}`,
    details: [
      ...(type === 'created'
        ? []
        : [...valueDetails('spec', change.spec), ...valueDetails('labels', change.labels)]),
      ...conditionDetails(conditions),
      ...(type === 'updated' ? named.filter((field) => field === 'annotations') : []),
    ],
  }
}

function changedFields(fields: readonly string[]): string {
  const names = ['spec', 'labels', 'annotations', 'references', 'conditions']
  return names.filter((name) => fields.includes(name)).join(', ')
}

function valueDetails(name: string, change: ResourceChange['spec']): readonly string[] {
  if (change === undefined) return []
  return differences(change.old ?? {}, change.new ?? {}).map(({ path, before, after }) => {
    const field = [name, ...path].join('.')
    if (before === undefined) return `${field} = ${shown(after)}`
    return after === undefined
      ? `${field} removed (was ${shown(before)})`
      : `${field}: ${shown(before)} → ${shown(after)}`
  })
}

type Conditions = NonNullable<ResourceChange['conditions']>

/**
 * Transitions of conditions: those with the same transition share a line. Only conditions of
 * adapters show their messages, which the aggregated ones repeat.
 */
function conditionDetails(conditions: Conditions): readonly string[] {
  const lines = new Map<string, string[]>()
  for (const { type, old, new: next } of conditions) {
    const isOfAdapter = type.endsWith('Successful')
    const isSame = stateOf(old) === stateOf(next)
    if (isSame && !isOfAdapter) continue
    const message = isOfAdapter && next?.message ? `: ${next.message}` : ''
    const transition = isSame ? stateOf(next) : `${stateOf(old)} → ${stateOf(next)}`
    const line = `${transition}${message}`
    lines.set(line, [...(lines.get(line) ?? []), type])
  }
  return [...lines].map(([line, types]) => `${types.join(', ')} ${line}`)
}

function stateOf(state: { readonly status: string } | null): string {
  return state?.status ?? 'absent'
}

function shown(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
}
