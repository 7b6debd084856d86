import type { Response } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { kindsOfAll } from '../../store/registry/verb.ts'
import { hasAccess } from '../../http/auth/authorize.ts'

interface Options {
  readonly registry: Registry
  readonly authorizer: Authorizer
}

/** The kinds that the caller may list or watch. */
export async function permittedKinds(
  { registry, authorizer }: Options,
  response: Response,
  verb: 'list' | 'watch',
): Promise<readonly RegisteredKind[]> {
  const permitted: RegisteredKind[] = []
  for (const kind of kindsOfAll(registry)) {
    const access = { verb, resource: kind.plural, subresource: null } as const
    if (await hasAccess(authorizer, response, access)) permitted.push(kind)
  }
  return permitted
}
