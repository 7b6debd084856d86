import { must } from '../../lib/assert.ts'
import { endLongTurn } from '../../lib/async/steps.ts'
import { invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { isSameJson } from '../../lib/json/same-json.ts'
import type { Refs } from '../../store/model/resource.ts'
import type { Desired } from '../../store/model/resource-fields.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { serves } from '../../store/registry/verb.ts'
import { serializeReferences, refsOf } from '../wire/references.ts'
import { PLAIN_INPUTS } from '../wire/resource-fields.ts'
import type { SchemaCompiler } from '../../http/validation/schema-compiler.ts'
import { createDesiredValidators } from './desired-validator.ts'
import { givenReferenceRules } from './reference-rules.ts'

/**
 * Applies the rules of a creation to the result of a patch: `next` has `spec`, `labels`, `annotations`
 * and `references`, except those that the patch removed. Only changed fields are validated by their
 * schemas, which fill in defaults: an unchanged field stays valid if its schema has changed since.
 * Throws `invalid` for a violation.
 */
export type DesiredRules = (
  kind: RegisteredKind,
  next: JsonObject,
  current: Desired,
) => Promise<Desired>

interface Options {
  readonly compiler: SchemaCompiler
  readonly registry: Registry
  /** Bytes. */
  readonly bodyLimit: number
}

/** Creates the rules, with one validator per kind. */
export function createDesiredRules({ compiler, registry, bodyLimit }: Options): DesiredRules {
  const patched = registry.kinds.filter((kind) => serves(kind, 'patch'))
  const names = patched.map(({ kind }) => kind)
  const validators = createDesiredValidators(compiler, names)
  return async (kind, next, current) => {
    const size = sizeOf(next, refsOf(next['references']))
    const { refs } = current
    if (size > bodyLimit && size > sizeOf(current, refs)) throw tooLarge(size, bodyLimit)
    await endLongTurn()
    const validate = must(validators.get(kind.kind), `validator of ${kind.kind}`)
    const fields = changedFields(next, current)
    await endLongTurn()
    const changed = {
      // Copies, into which the validator fills defaults.
      ...JSON.parse(JSON.stringify(fields)),
      ...changedReferences(next, serializeReferences(registry, kind, refs)),
    }
    await endLongTurn()
    const { references, ...members } = validate(changed)
    const violations = givenReferenceRules(registry, kind)(changed)
    if (violations.length > 0) throw invalid(violations)
    return { ...current, ...members, ...(references && { refs: refsOf(references) }) }
  }
}

/** A kind without declared references has none before and after the patch. */
function changedReferences({ references = {} }: JsonObject, current: JsonObject): JsonObject {
  return isSameJson(references, current) ? {} : { references }
}

/** The changed fields. */
function changedFields(next: JsonObject, current: Desired): JsonObject {
  const changed = [...PLAIN_INPUTS].flatMap(([name, empty]) => {
    const value = next[name] === undefined ? empty : next[name]
    return isSameJson(value, current[name]) ? [] : [[name, value] as const]
  })
  return Object.fromEntries(changed)
}

/** The bytes of the shortest body that declares this state. */
function sizeOf(desired: JsonObject | Desired, refs: Refs): number {
  const given = [...PLAIN_INPUTS.keys()].filter((name) => {
    return name === 'spec' || !isEmpty(desired[name])
  })
  const body = {
    ...Object.fromEntries(given.map((name) => [name, desired[name]])),
    ...(!isEmpty(refs) && { references: refs }),
  }
  return Buffer.byteLength(JSON.stringify(body))
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === undefined) return true
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function tooLarge(size: number, limit: number): Error {
  const names = [...PLAIN_INPUTS.keys()].join(', ')
  const message = `${names} and references together have at most ${limit} bytes, and would have ${size}`
  return invalid([{ field: '', message, constraint: 'max-size', value: size }])
}
