import type { HistoryEntry, ResourceChange } from '../../../typescript/src/index.ts'
import { differences } from '../edit/json/differences.ts'

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

const FIELDS = ['spec', 'labels', 'annotations', 'references', 'conditions']

/** Describes a change of a resource. */
export function changeText(change: ResourceChange): ChangeText {
  const { type, fields, conditions = [] } = change
  return {
    action: actionText(type, fields),
    details: [
      ...(type === 'created'
        ? []
        : [...valueDetails('spec', change.spec), ...valueDetails('labels', change.labels)]),
      ...conditionDetails(conditions),
      ...(type === 'updated' ? fields.filter((field) => field === 'annotations') : []),
    ],
  }
}

/** Describes an entry of the history. Created and removed resources do not list all their values. */
export function historyText(entry: HistoryEntry): ChangeText {
  const { type, changes, conditions = [], reason } = entry
  const paths = changes.map(({ path }) => path.slice(1).split('/').map(keyOf))
  const values = changes.map((change, index) =>
    valueDetail(paths[index] ?? [], change.old, change.new),
  )
  return {
    action: actionText(
      type,
      paths.map(([field = '']) => field),
    ),
    details: [
      ...(reason === undefined ? [] : [`reason: ${reason}`]),
      ...(type === 'created' || type === 'removed' ? [] : values),
      ...conditionDetails(conditions),
    ],
  }
}

function actionText(type: ResourceChange['type'], changed: readonly string[]): string {
  const fields = type === 'updated' ? FIELDS.filter((field) => changed.includes(field)) : []
  return fields.length === 0 ? ACTIONS[type] : `${ACTIONS[type]} ${fields.join(', ')}`
}

function valueDetails(name: string, change: ResourceChange['spec']): readonly string[] {
  if (change === undefined) return []
  return differences(change.old ?? {}, change.new ?? {}).map(({ path, before, after }) =>
    valueDetail([name, ...path], before, after),
  )
}

function valueDetail(path: readonly (string | number)[], before: unknown, after: unknown): string {
  const field = path.join('.')
  if (before === undefined) return `${field} = ${shown(after)}`
  return after === undefined
    ? `${field} removed (was ${shown(before)})`
    : `${field}: ${shown(before)} → ${shown(after)}`
}

/** The key of a token of a JSON Pointer (RFC 6901). */
function keyOf(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~')
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
