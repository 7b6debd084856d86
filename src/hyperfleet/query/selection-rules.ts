import type { Response } from 'express'
import { isDeepStrictEqual } from 'node:util'
import type { Authorizer } from '../../access/authorizer.ts'
import { FlotillaError, invalid } from '../../lib/errors.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { parseSearch } from '../../store/operations/list/parse-search.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { unknownKind } from '../../store/registry/unknown-kind.ts'
import { listableKinds } from '../../store/registry/verb.ts'
import { bind } from '../../store/search/bind/bind.ts'
import { fieldsOf } from '../../store/search/bind/fields.ts'
import { parseOrder } from './order-by.ts'
import { permittedAmong } from './permitted-kinds.ts'
import { RESOURCE_ORDER } from './resource-order.ts'

interface Options {
  readonly operations: { readonly registry: Registry }
  readonly authorizer: Authorizer
}

/**
 * Throws if a spec selects resources that the caller may not list, or that no list can have: `invalid`,
 * `invalid-search` or `forbidden`. A spec that equals the current one is not checked.
 */
export type SelectionRule = (spec: JsonObject, current?: JsonObject) => void

/** The rule for one request, which asks once which kinds the caller may list. */
export async function selectionRule(
  { operations: { registry }, authorizer }: Options,
  response: Response,
  { selects }: RegisteredKind,
): Promise<SelectionRule> {
  if (selects === undefined) return () => undefined
  const kinds = listableKinds(registry)
  const permitted = await permittedAmong(kinds, { authorizer, response, verb: 'list' })
  return (spec, current) => {
    if (isDeepStrictEqual(spec, current)) return
    const { kind, search, order } = selects(spec)
    const message = unknownKind(kind, kinds)
    if (message !== null) {
      throw invalid([{ field: 'spec.kind', message, constraint: 'kind', value: kind }])
    }
    const selected = registry.byName(kind)
    if (!permitted.includes(selected)) throw notPermitted(selected)
    inField('spec.search', () => bindSearch(selected, search))
    inField('spec.order', () => parseOrder(order, undefined, RESOURCE_ORDER))
  }
}

function bindSearch(kind: RegisteredKind, search: string): void {
  const expression = parseSearch(search === '' ? [] : [search])
  if (expression !== null) bind(expression, fieldsOf(kind))
}

/** Names the field of the body in the causes of an invalid search. */
function inField(field: string, check: () => unknown): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof FlotillaError)) throw error
    const causes = error.causes.map((cause) => ({ ...cause, field }))
    throw new FlotillaError(error.reason, error.message, { cause: error, causes })
  }
}

function notPermitted({ kind, plural }: RegisteredKind): FlotillaError {
  return new FlotillaError(
    'forbidden',
    `spec.kind: only callers that may list ${plural} can select resources of the kind ${kind}`,
  )
}
