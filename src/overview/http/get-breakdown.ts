import type { RequestHandler } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { textOf } from '../../hyperfleet/query/list-query.ts'
import { kindParameter } from '../../hyperfleet/query/kind-parameter.ts'
import { must } from '../../lib/assert.ts'
import type { IndexedField } from '../../store/indexes/indexed-field.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { breakdownFields } from '../breakdown/breakdown-field.ts'
import type { Breakdowns } from '../breakdown/breakdowns.ts'
import { breakdownJson } from './breakdown-json.ts'

interface Options {
  readonly registry: Registry
  readonly authorizer: Authorizer
  readonly breakdowns: Breakdowns
  readonly indexedFields: readonly IndexedField[]
}

const DEFAULT_BY = 'adapter,reason'
const DEFAULT_LIMIT = 50

/** GET of `/breakdown`: the not-ready resources of a kind that the caller may list, in groups. */
export function getBreakdown(options: Options): RequestHandler {
  const { registry, authorizer, breakdowns, indexedFields } = options
  return async (request, response) => {
    const { query } = request
    const kind = must(kindParameter(request, registry), 'the parameter kind')
    const access = { verb: 'list', resource: kind.plural, subresource: null } as const
    await requireAccess(authorizer, response, access)
    const search = textOf(query['search'])
    const question = {
      kind,
      tenant: tenantOf(response),
      fields: breakdownFields(textOf(query['by']) ?? DEFAULT_BY, kind.kind, indexedFields),
      search: search === undefined || search === null || search === '' ? [] : [search],
      limit: Number(query['limit'] ?? DEFAULT_LIMIT),
    }
    const found = await breakdowns.read(question)
    response.setHeader('Cache-Control', 'no-store')
    response.json(breakdownJson(question, found))
  }
}
