import type { Registry } from '../store/registry/registry.ts'
import { serves } from '../store/registry/verb.ts'
import { must } from '../lib/assert.ts'
import { invalid } from '../lib/errors.ts'
import { lazy } from '../lib/lazy.ts'
import type { JsonObject } from '../lib/json/json.ts'
import { describeViolations } from '../http/validation/describe-violation.ts'
import { schemaCompiler, schemaErrorsOf } from '../http/validation/schema-compiler.ts'
import { type BaseDocument, composeOpenapi } from '../hyperfleet/openapi/compose.ts'
import { createDesiredRules } from '../hyperfleet/validation/desired-rules.ts'
import { type CreateBody, desiredOf } from '../hyperfleet/wire/resource-fields.ts'
import type { BodyRules } from './exposed-store.ts'

interface Options {
  readonly base: BaseDocument
  readonly registry: Registry
  /** Bytes. */
  readonly bodyLimit: number
}

/** The rules of the HyperFleet API's bodies, for writes through planes. The first write composes them. */
export function createBodyRules(options: Options): BodyRules {
  const rules = lazy(() => composeRules(options))
  return {
    change: (...change) => rules().change(...change),
    create: (...creation) => rules().create(...creation),
  }
}

function composeRules({ base, registry, bodyLimit }: Options): BodyRules {
  const document = composeOpenapi(base, registry, [])
  const compiler = schemaCompiler(document)
  const change = createDesiredRules({ compiler, registry, bodyLimit })
  const validators = new Map(
    registry.kinds
      .filter((kind) => serves(kind, 'create'))
      .map(({ kind }) => {
        const schema: JsonObject = { $ref: `#/components/schemas/${kind}CreateRequest` }
        return [kind, { schema, validator: lazy(() => compiler.compile<CreateBody>(schema)) }]
      }),
  )
  return {
    change,
    create: (kind, given) => {
      const { schema, validator } = must(validators.get(kind.kind), `validator of ${kind.kind}`)
      const validate = validator()
      // The validator fills in defaults.
      const body: JsonObject = JSON.parse(JSON.stringify(given))
      if (validate(body)) return desiredOf(kind, body)
      const errors = schemaErrorsOf(validate, 'body')
      throw invalid(describeViolations(errors, { document, bodySchema: schema, body }))
    },
  }
}
