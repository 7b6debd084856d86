import type { Language } from '../../../lib/cel/language.ts'
import type { PlaneConfiguration } from '../../../store/objects/model/plane-configuration.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { compareText } from '../../../lib/text/compare-text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { compileProgram, type Program } from '../../expressions/compile-program.ts'
import { policyLanguage } from '../expressions/admission-language.ts'
import { type MatchConstraints, parseConstraints } from '../matching/match-constraints.ts'
import { objectsOf, textOf } from '../../../lib/json/json-fields.ts'

export const POLICIES = 'validatingadmissionpolicies.admissionregistration.k8s.io'
export const BINDINGS = 'validatingadmissionpolicybindings.admissionregistration.k8s.io'

const KEY = Symbol('admission policies')

/** An expression that is compiled at its first use. */
export type LazyProgram = () => Program

export interface NamedProgram {
  readonly name: string
  readonly program: LazyProgram
}

/** A rule of a policy. */
export interface Validation {
  readonly expression: string
  readonly program: LazyProgram
  readonly message: string
  readonly messageProgram: LazyProgram | null
  /** Empty for the default. */
  readonly reason: string
}

/** A use of a policy. */
export interface Binding {
  readonly name: string
  readonly constraints: MatchConstraints
  /** Null if the binding names no parameters. */
  readonly paramRef: JsonObject | null
  /** Deny, Warn, Audit. */
  readonly actions: readonly string[]
}

/** The parts that all policies have, with their bindings. */
export interface BoundPolicy {
  readonly name: string
  readonly constraints: MatchConstraints
  readonly conditions: readonly NamedProgram[]
  readonly variables: readonly NamedProgram[]
  readonly failsOpen: boolean
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | null
  readonly bindings: readonly Binding[]
}

/** A ValidatingAdmissionPolicy with its bindings. */
export interface Policy extends BoundPolicy {
  readonly validations: readonly Validation[]
}

/** The policies of a plane that have bindings, by name. */
export function policiesOf(configuration: PlaneConfiguration): readonly Policy[] {
  return configuration.derive(KEY, [POLICIES, BINDINGS], (current) =>
    boundObjects(current.objects(POLICIES), current.objects(BINDINGS)).map(parsePolicy),
  )
}

/** A policy with its bindings. */
export type BoundObject = readonly [policy: StoredObject, bindings: readonly StoredObject[]]

/** The policies that have bindings, by name. */
export function boundObjects(
  policies: readonly StoredObject[],
  bindings: readonly StoredObject[],
): readonly BoundObject[] {
  const byPolicy = new Map<string, StoredObject[]>()
  for (const binding of bindings) {
    const policyName = textOf(specOf(binding.body)['policyName'])
    byPolicy.set(policyName, [...(byPolicy.get(policyName) ?? []), binding])
  }
  return policies
    .filter(({ name }) => byPolicy.has(name))
    .toSorted((a, b) => compareText(a.name, b.name))
    .map((policy) => [policy, byPolicy.get(policy.name) ?? []])
}

/** Compiles an expression at its first use. */
export function compileLazily(
  language: Language,
  text: string,
  types: readonly string[],
): LazyProgram {
  let program: Program | null = null
  return () => (program ??= compileProgram(language, text, types))
}

function parsePolicy(object: BoundObject): Policy {
  const spec = specOf(object[0].body)
  const language = policyLanguage(isJsonObject(spec['paramKind']))
  return {
    ...parseBoundPolicy(object),
    validations: objectsOf(spec['validations']).map((item) => {
      const messageExpression = textOf(item['messageExpression'])
      const expression = textOf(item['expression'])
      return {
        expression,
        program: compileLazily(language, expression, ['bool']),
        message: textOf(item['message']),
        messageProgram:
          messageExpression === '' ? null : compileLazily(language, messageExpression, ['string']),
        reason: textOf(item['reason']),
      }
    }),
  }
}

/** The parts that all policies have. */
export function parseBoundPolicy([{ name, body }, bindings]: BoundObject): BoundPolicy {
  const spec = specOf(body)
  const { paramKind } = spec
  const language = policyLanguage(isJsonObject(paramKind))
  const named = (value: JsonValue | undefined, types: readonly string[]): NamedProgram[] =>
    objectsOf(value).map((item) => ({
      name: textOf(item['name']),
      program: compileLazily(language, textOf(item['expression']), types),
    }))
  return {
    name,
    constraints: constraintsOf(spec['matchConstraints']),
    conditions: named(spec['matchConditions'], ['bool']),
    variables: named(spec['variables'], []),
    failsOpen: spec['failurePolicy'] === 'Ignore',
    paramKind: isJsonObject(paramKind)
      ? { apiVersion: textOf(paramKind['apiVersion']), kind: textOf(paramKind['kind']) }
      : null,
    bindings: bindings.toSorted((a, b) => compareText(a.name, b.name)).map(parseBinding),
  }
}

function parseBinding({ name, body }: StoredObject): Binding {
  const { matchResources, paramRef, validationActions } = specOf(body)
  return {
    name,
    constraints: constraintsOf(matchResources),
    paramRef: isJsonObject(paramRef) ? paramRef : null,
    actions: Array.isArray(validationActions)
      ? validationActions.filter((action) => typeof action === 'string')
      : [],
  }
}

/** Without rules, every resource matches. */
function constraintsOf(value: JsonValue | undefined): MatchConstraints {
  const resources = isJsonObject(value) ? value : {}
  const constraints = parseConstraints({
    rules: resources['resourceRules'],
    excluded: resources['excludeResourceRules'],
    matchPolicy: resources['matchPolicy'],
    namespaceSelector: resources['namespaceSelector'],
    objectSelector: resources['objectSelector'],
  })
  return constraints.rules.length > 0 ? constraints : { ...constraints, rules: [EVERYTHING] }
}

const EVERYTHING = {
  operations: ['*'],
  groups: ['*'],
  versions: ['*'],
  resources: ['*/*', '*'],
  scope: '*',
  names: [],
} as const

function specOf({ spec }: JsonObject): JsonObject {
  return isJsonObject(spec) ? spec : {}
}
