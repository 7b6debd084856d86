import { endsStep, type Steps, stepsInTurns } from '../../../lib/async/steps.ts'
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
import { itemsByKey, keyOfItem } from '../list-keys.ts'
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
  const root = { value: object, old: old ?? undefined, path: '', schema: resourceSchema(schema) }
  await stepsInTurns(addSubjects(root, subjects))
  const run = startRuleRun()
  for (const subject of subjects) {
    if (run.isOver) break
    await evaluateRules(subject, run)
  }
  return run.errors
}

/** Adds the values whose schema has rules, from the outside in. */
function* addSubjects(subject: RuleSubject, subjects: RuleSubject[]): Steps<void> {
  const { value, schema } = subject
  if (!hasRules(schema)) return
  const hasOwnRules = schema['x-kubernetes-validations'] !== undefined
  if (value !== null && hasOwnRules) subjects.push(subject)
  if (isJsonArray(value)) yield* addItems(value, subject, subjects)
  else if (isJsonObject(value)) yield* addMembers(value, subject, subjects)
}

function* addMembers(
  value: JsonObject,
  { old, path, schema }: RuleSubject,
  subjects: RuleSubject[],
): Steps<void> {
  const isGranular = schema['x-kubernetes-map-type'] !== 'atomic'
  const oldObject = isGranular && isJsonObject(old) ? old : null
  for (const name of Object.keys(value)) {
    const member = value[name]
    const declared = schemaOfMember(schema, name)
    if (member === undefined || !declared) continue
    if (endsStep()) yield
    const oldMember = oldObject === null ? undefined : memberOf(oldObject, name)
    const place = memberPath(path, name, schema)
    yield* addSubjects({ value: member, old: oldMember, path: place, schema: declared }, subjects)
  }
}

/** Members of maps are shown as `labels[a]`, as Kubernetes does in violations of rules. */
function memberPath(path: string, name: string, { properties }: Schema): string {
  const isDeclared = properties !== undefined && Object.hasOwn(properties, name)
  return isDeclared ? childPath(path, name) : `${path}[${name}]`
}

function* addItems(
  list: readonly JsonValue[],
  { old, path, schema }: RuleSubject,
  subjects: RuleSubject[],
): Steps<void> {
  const { items } = schema
  if (!items || !hasRules(items)) return
  const isMap = schema['x-kubernetes-list-type'] === 'map'
  const oldItems = yield* itemsByKey(isMap && isJsonArray(old) ? old : [], schema)
  for (const [index, item] of list.entries()) {
    if (endsStep()) yield
    const isKnown = oldItems.size > 0 && isJsonObject(item)
    const oldItem = isKnown ? oldItems.get(keyOfItem(item, schema)) : undefined
    const place = `${path}[${index}]`
    yield* addSubjects({ value: item, old: oldItem, path: place, schema: items }, subjects)
  }
}
