import { withVariables } from '../../../lib/cel/language.ts'
import { DYN, struct, type Type } from '../../../lib/cel/types/type.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import type { JsonObject } from '../../../lib/json/json.ts'
import { objectOf, objectsOf, textOf, textsOf } from '../../../lib/json/json-fields.ts'
import { compareText } from '../../../lib/text/compare-text.ts'
import { checkProgram } from '../../expressions/compile-program.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { apiVersionOf } from '../../model/resource-type.ts'
import type { Schema } from '../../model/schema.ts'
import type { PlaneTypes } from '../../model/type-registry.ts'
import { OBJECT_META_SCHEMA } from '../../schemas/object-meta-schema.ts'
import { schemaType } from '../../schemas/rules/schema-type.ts'
import { policyLanguage } from '../expressions/admission-language.ts'

/** An item of `status.typeChecking.expressionWarnings`. */
export type ExpressionWarning = Readonly<Record<'fieldRef' | 'warning', string>>

/** The most types with which an expression is checked. */
const MAX_TYPES = 10

interface ObjectType {
  /** In the form of Go: `apps/v1, Kind=Deployment`. */
  readonly name: string
  readonly type: Type
}

/** The errors of a policy's validations if their objects have the types of the rules. */
export function policyWarnings(policy: ApiObject, types: PlaneTypes): readonly ExpressionWarning[] {
  const spec = objectOf(policy['spec'])
  const objects = objectTypes(spec, types)
  return objectsOf(spec['validations']).flatMap((validation, index) =>
    ['expression', 'messageExpression'].flatMap((member) => {
      const expression = textOf(validation[member])
      if (expression === '') return []
      const warning = objects
        .map((object) => warningOf(expression, object, spec, types))
        .filter((text) => text !== '')
        .join('\n')
      const fieldRef = `spec.validations[${index}].${member}`
      return warning === '' ? [] : [{ fieldRef, warning }]
    }),
  )
}

function warningOf(
  expression: string,
  { name, type }: ObjectType,
  spec: JsonObject,
  types: PlaneTypes,
): string {
  const problem = problemOf(expression, variablesOf(spec, type, types))
  return problem === '' ? '' : `${name}: ${problem}\n`
}

/** The types of the expressions' variables. Those of `variables` follow from their expressions. */
function variablesOf(spec: JsonObject, object: Type, types: PlaneTypes): Record<string, Type> {
  const fields = new Map<string, Type>()
  const params = paramsType(spec, types)
  const variables: Record<string, Type> = {
    object,
    oldObject: object,
    ...(params && { params }),
    variables: struct('kubernetes.variables', fields),
  }
  for (const { name, expression } of objectsOf(spec['variables'])) {
    fields.set(textOf(name), typeOfExpression(textOf(expression), variables))
  }
  return variables
}

function typeOfExpression(expression: string, variables: Record<string, Type>): Type {
  try {
    return checkProgram(withVariables(policyLanguage(false), variables), expression).type
  } catch {
    return DYN
  }
}

/** Empty if the expression fits the types. */
function problemOf(expression: string, variables: Record<string, Type>): string {
  try {
    checkProgram(withVariables(policyLanguage(false), variables), expression)
    return ''
  } catch (error) {
    return errorMessage(error)
  }
}

function paramsType(spec: JsonObject, types: PlaneTypes): Type | null {
  const { apiVersion, kind } = objectOf(spec['paramKind'])
  if (kind === undefined) return null
  const [version = '', group = ''] = textOf(apiVersion).split('/').toReversed()
  const found = types.findByKind(group, textOf(kind))
  const declared = found?.versions.find(({ name, served }) => served && name === version)
  return (declared && schemaType(withMetadata(declared.schema))?.type) ?? DYN
}

/** The types that the rules name; wildcards are not resolved. */
function objectTypes(spec: JsonObject, types: PlaneTypes): readonly ObjectType[] {
  const found = new Map<string, ObjectType>()
  for (const rule of objectsOf(objectOf(spec['matchConstraints'])['resourceRules'])) {
    const [groups = [], versions = []] = [rule['apiGroups'], rule['apiVersions']].map(textsOf)
    if ([...groups, ...versions].some((text) => text.includes('*'))) continue
    const plurals = textsOf(rule['resources']).filter((text) => !/[*/]/.test(text))
    for (const group of groups) {
      for (const version of versions) {
        for (const plural of plurals) addType(found, { group, version, plural }, types)
      }
    }
  }
  return [...found]
    .toSorted(([one], [other]) => compareText(one, other))
    .map(([, type]) => type)
    .slice(0, MAX_TYPES)
}

function addType(
  found: Map<string, ObjectType>,
  { group, version, plural }: Readonly<Record<'group' | 'version' | 'plural', string>>,
  types: PlaneTypes,
): void {
  const type = types.find(group, version, plural)
  const declared = type?.versions.find(({ name }) => name === version)
  const checked = declared && schemaType(withMetadata(declared.schema))
  if (!type || !checked) return
  const apiVersion = group === '' ? `/${version}` : apiVersionOf(group, version)
  const name = `${apiVersion}, Kind=${type.kind}`
  found.set(name, { name, type: checked.type })
}

const TEXT: Schema = { type: 'string' }
const COMPLETE = new WeakMap<Schema, Schema>()

/** The schema of a whole object. */
function withMetadata(schema: Schema): Schema {
  const known = COMPLETE.get(schema)
  if (known) return known
  const own = { apiVersion: TEXT, kind: TEXT, metadata: OBJECT_META_SCHEMA }
  const complete: Schema = { ...schema, properties: { ...schema.properties, ...own } }
  COMPLETE.set(schema, complete)
  return complete
}
