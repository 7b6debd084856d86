import { lazy } from '../../lib/lazy.ts'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { describeViolations } from '../../http/validation/describe-violation.ts'
import { type SchemaCompiler, schemaErrorsOf } from '../../http/validation/schema-compiler.ts'
import { ref } from '../wire/schema-reference.ts'
import { referenceRules } from './reference-rules.ts'

/**
 * Applies the rules of a creation to one item of a bulk creation, and fills in the defaults of the
 * schema. Returns the error of an invalid item, or null.
 */
export type ItemRules = (item: JsonObject) => FlotillaError | null

interface Options {
  readonly compiler: SchemaCompiler
  readonly registry: Registry
  /** The most bytes of an item. */
  readonly bodyLimit: number
}

/** Creates the rules of a kind's items. Its schema is compiled with the first request. */
export function createItemRules(
  { compiler, registry, bodyLimit }: Options,
  kind: RegisteredKind,
): ItemRules {
  const { document } = compiler
  const name = `${kind.kind}CreateRequest`
  const bodySchema = ref(name)
  const validator = lazy(() => compiler.compileAt(['components', 'schemas', name]))
  const rulesOfReferences = referenceRules(registry, kind)
  return (item) => {
    const size = sizeOver(item, bodyLimit)
    if (size !== null) return tooLarge(size, bodyLimit)
    const validate = validator()
    const errors = validate(item) ? [] : schemaErrorsOf(validate, 'body')
    const violations = [
      ...(errors.length > 0
        ? describeViolations(errors, { document, bodySchema, body: item })
        : []),
      ...rulesOfReferences(item),
    ]
    return violations.length > 0 ? invalid(violations) : null
  }
}

/** The size in bytes if it is over the limit; null otherwise. */
function sizeOver(item: JsonObject, limit: number): number | null {
  const text = JSON.stringify(item)
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= limit) return null
  const size = Buffer.byteLength(text)
  return size > limit ? size : null
}

function tooLarge(size: number, limit: number): FlotillaError {
  return new FlotillaError(
    'too-large',
    `An item may have at most ${limit} bytes, and this one has ${size}`,
  )
}
