import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { FieldError } from '../../model/field-error.ts'
import type { Schema } from '../../model/schema.ts'
import { memberOf } from '../canonical-text.ts'
import { schemaOfMember } from '../declared-schema.ts'
import { keyOfItem } from '../list-keys.ts'
import { childPath } from '../validation/validation-run.ts'
import { createSchemaWalker } from '../walk-schema.ts'
import { evaluateRules, type RuleSubject, startRuleRun } from './evaluate-rules.ts'
import { resourceSchema } from './root-schema.ts'

const WALKER = createSchemaWalker((schema) => schema['x-kubernetes-validations'] !== undefined)

/** Whether a schema has CEL rules. */
export function hasRules(schema: Schema): boolean {
  return WALKER.hasRelevant(schema)
}

/**
 * The violations of the CEL rules of a schema. Rules about `oldSelf` apply to updates only. Other
 * violations of values that an update does not change are ignored.
 */
export async function ruleErrors(
  object: ApiObject,
  old: ApiObject | null,
  schema: Schema,
): Promise<readonly FieldError[]> {
  if (!hasRules(schema)) return []
  const subjects: RuleSubject[] = []
  visit({ value: object, old: old ?? undefined, path: '' }, resourceSchema(schema), subjects)
  const run = startRuleRun()
  for (const subject of subjects) {
    if (run.isOver) break
    await evaluateRules(subject, run)
  }
  return run.errors
}

/** A value with its counterpart before the update, if there is one. */
interface Position {
  readonly value: JsonValue
  readonly old: JsonValue | undefined
  readonly path: string
}

/** Adds the values whose schema has rules, from the outside in. */
function visit(position: Position, schema: Schema, subjects: RuleSubject[]): void {
  if (!hasRules(schema)) return
  const { value, old } = position
  const hasOwnRules = schema['x-kubernetes-validations'] !== undefined
  if (value !== null && hasOwnRules) subjects.push({ ...position, schema })
  if (isJsonArray(value))
    visitItems(value, isJsonArray(old) ? old : null, position.path, { schema, subjects })
  else if (isJsonObject(value)) visitMembers(value, position, schema, subjects)
}

function visitMembers(
  value: JsonObject,
  { old, path }: Position,
  schema: Schema,
  subjects: RuleSubject[],
): void {
  const isGranular = schema['x-kubernetes-map-type'] !== 'atomic'
  const oldObject = isGranular && isJsonObject(old) ? old : null
  for (const name of Object.keys(value)) {
    const member = value[name]
    const declared = schemaOfMember(schema, name)
    if (member === undefined || !declared) continue
    const oldMember = oldObject === null ? undefined : memberOf(oldObject, name)
    const position = { value: member, old: oldMember, path: memberPath(path, name, schema) }
    visit(position, declared, subjects)
  }
}

/** Members of maps are shown as `labels[a]`, as Kubernetes does in violations of rules. */
function memberPath(path: string, name: string, { properties }: Schema): string {
  const isDeclared = properties !== undefined && Object.hasOwn(properties, name)
  return isDeclared ? childPath(path, name) : `${path}[${name}]`
}

function visitItems(
  list: readonly JsonValue[],
  old: readonly JsonValue[] | null,
  path: string,
  { schema, subjects }: { readonly schema: Schema; readonly subjects: RuleSubject[] },
): void {
  const { items } = schema
  if (!items || !hasRules(items)) return
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  const oldItems = new Map<string, JsonValue>()
  for (const item of (isMap && old) || []) {
    if (isJsonObject(item)) oldItems.set(keyOfItem(item, schema), item)
  }
  for (const [index, item] of list.entries()) {
    const oldItem = isMap && isJsonObject(item) ? oldItems.get(keyOfItem(item, schema)) : undefined
    visit({ value: item, old: oldItem, path: `${path}[${index}]` }, items, subjects)
  }
}
