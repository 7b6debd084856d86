import { yieldMainThread } from '../../../lib/tracing/main-thread.ts'
import { type Language, withVariables } from '../../../lib/cel/language.ts'
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
import { NAMESPACE_TYPE, REQUEST_TYPE } from './request-types.ts'

/** An item of `status.typeChecking.expressionWarnings`. */
export type ExpressionWarning = Readonly<Record<'fieldRef' | 'warning', string>>

/** The most types with which an expression is checked. */
const MAX_TYPES = 10

interface ObjectType {
  /** In the form of Go: `apps/v1, Kind=Deployment`. */
  readonly name: string
  readonly type: Type
}

/**
 * The errors of a policy's validations if their objects have the types of the rules. Other work
 * runs between any two expressions, because a policy may have thousands for each of ten types.
 */
export async function policyWarnings(
  policy: ApiObject,
  types: PlaneTypes,
): Promise<readonly ExpressionWarning[]> {
  const spec = objectOf(policy['spec'])
  const expressions = objectsOf(spec['validations']).flatMap((validation, index) =>
    ['expression', 'messageExpression'].map((member) => ({
      fieldRef: `spec.validations[${index}].${member}`,
      expression: textOf(validation[member]),
    })),
  )
  const found = new Map<string, string[]>()
  for (const { name, type } of objectTypes(spec, types)) {
    const language = await languageFor(type, spec, types)
    for (const { fieldRef, expression } of expressions) {
      if (expression === '') continue
      const problem = problemOf(language, expression)
      if (problem !== '') {
        found.set(fieldRef, [...(found.get(fieldRef) ?? []), `${name}: ${problem}\n`])
      }
      await yieldMainThread()
    }
  }
  return expressions.flatMap(({ fieldRef }) => {
    const warnings = found.get(fieldRef)
    return warnings === undefined ? [] : [{ fieldRef, warning: warnings.join('\n') }]
  })
}

/** The language of expressions about an object. The types of `variables` follow from their expressions. */
async function languageFor(object: Type, spec: JsonObject, types: PlaneTypes): Promise<Language> {
  const fields = new Map<string, Type>()
  const params = paramsType(spec, types)
  const language = withVariables(policyLanguage(false), {
    object,
    oldObject: object,
    request: REQUEST_TYPE,
    namespaceObject: NAMESPACE_TYPE,
    ...(params && { params }),
    variables: struct('kubernetes.variables', fields),
  })
  for (const { name, expression } of objectsOf(spec['variables'])) {
    fields.set(textOf(name), typeOfExpression(language, textOf(expression)))
    await yieldMainThread()
  }
  return language
}

function typeOfExpression(language: Language, expression: string): Type {
  try {
    return checkProgram(language, expression).type
  } catch {
    return DYN
  }
}

/** Empty if the expression fits the types. */
function problemOf(language: Language, expression: string): string {
  try {
    checkProgram(language, expression)
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
