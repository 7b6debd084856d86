import type { Request, RequestHandler, Response } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import type { Context } from '../../store/operations/context.ts'
import { listLabels as readLabels } from '../../store/operations/labels/list-labels.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import { tenantOf } from '../../http/auth/caller.ts'
import { textOf } from '../query/list-query.ts'
import { kindParameter } from '../query/kind-parameter.ts'
import { permittedKinds } from '../query/permitted-kinds.ts'

interface Options {
  readonly operations: Context
  readonly authorizer: Authorizer
}

const DEFAULT_LIMIT = 50

/** GET of `/label-keys` and `/label-values`. */
export function listLabels(options: Options, subject: 'keys' | 'values'): RequestHandler {
  const kind = subject === 'keys' ? 'LabelKeyList' : 'LabelValueList'
  return async (request, response) => {
    const { query } = request
    const kinds = await kindsOf(options, request, response)
    const { items, isTruncated } = await readLabels(options.operations, {
      kinds: kinds.map((one) => one.kind),
      tenant: tenantOf(response),
      key: subject === 'keys' ? null : (textOf(query['key']) ?? ''),
      prefix: textOf(query['prefix']) ?? '',
      limit: Number(query['limit'] ?? DEFAULT_LIMIT),
    })
    response.json({ kind, items, truncated: isTruncated })
  }
}

async function kindsOf(
  { operations: { registry }, authorizer }: Options,
  request: Request,
  response: Response,
): Promise<readonly RegisteredKind[]> {
  const kind = kindParameter(request, registry)
  if (kind === null) return permittedKinds({ registry, authorizer }, response, 'list')
  const access = { verb: 'list', resource: kind.plural, subresource: null } as const
  await requireAccess(authorizer, response, access)
  return [kind]
}
