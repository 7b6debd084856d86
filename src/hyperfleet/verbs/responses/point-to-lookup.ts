import type { ErrorRequestHandler } from 'express'
import { FlotillaError, type MissingResource } from '../../../lib/errors.ts'
import type { RegisteredKind } from '../../../store/registry/kind.ts'
import {
  type KindRoute,
  lookupTemplate,
  nameParameter,
} from '../../../store/registry/kind-routes.ts'
import { serves } from '../../../store/registry/verb.ts'
import { findIdByName, type ResourceName } from '../../../store/resources/find-id-by-name.ts'
import { BASE_PATH } from '../../paths/base-path.ts'
import { tenantOf } from '../../../http/auth/caller.ts'
import { NAME_PATTERN } from '../../openapi/kind-schemas.ts'
import type { VerbContext } from '../handler.ts'

const NAME = new RegExp(NAME_PATTERN)

/**
 * If the id of a 404 is the name of a live root resource, the detail points to the lookup by name.
 * Only failed requests whose id could be a name cost the query.
 */
export function pointToLookup(
  { operations }: Pick<VerbContext, 'operations'>,
  { kind, parent }: KindRoute,
): ErrorRequestHandler {
  const roots = [kind, ...(parent ? [parent] : [])].filter(
    (each) => each.parent === null && serves(each, 'get-by-name'),
  )
  // oxlint-disable-next-line max-params -- Express recognizes an error handler by its four parameters
  return async (error: unknown, _request, response, next) => {
    const missing = error instanceof FlotillaError ? error.missing : null
    const root = missing && roots.find((each) => each.kind === missing.kind)
    const isNamed =
      missing &&
      root &&
      (await isNameOf(operations, root, { tenant: tenantOf(response), name: missing.id }))
    next(isNamed ? namedInstead(missing, root) : error)
  }
}

/** False if the query fails: the 404 is correct without the advice. */
async function isNameOf(
  { database }: VerbContext['operations'],
  { kind }: RegisteredKind,
  { tenant, name }: Pick<ResourceName, 'tenant' | 'name'>,
): Promise<boolean> {
  if (!NAME.test(name)) return false
  try {
    return (await findIdByName(database, { tenant, kind, ownerId: null, name })) !== null
  } catch {
    return false
  }
}

function namedInstead({ id }: MissingResource, root: RegisteredKind): FlotillaError {
  const { kind } = root
  const path = BASE_PATH + lookupTemplate(root, null).replace(`{${nameParameter(root)}}`, id)
  const detail = `${kind} with id='${id}' not found: '${id}' is the name of a ${kind}, and this path takes its id; GET ${path} finds it by name`
  return new FlotillaError('not-found', detail)
}
