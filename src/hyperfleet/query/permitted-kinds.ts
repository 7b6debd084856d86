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

/** The kinds of requests for all kinds that the caller may list or watch. */
export function permittedKinds(
  { registry, authorizer }: Options,
  response: Response,
  verb: 'list' | 'watch',
): Promise<readonly RegisteredKind[]> {
  return permittedAmong(kindsOfAll(registry), { authorizer, response, verb })
}

interface Requested {
  readonly authorizer: Authorizer
  readonly response: Response
  readonly verb: 'list' | 'watch'
}

/** Those of the kinds that the caller may list or watch. */
export async function permittedAmong(
  kinds: readonly RegisteredKind[],
  { authorizer, response, verb }: Requested,
): Promise<readonly RegisteredKind[]> {
  const permitted: RegisteredKind[] = []
  for (const kind of kinds) {
    const access = { verb, resource: kind.plural, subresource: null } as const
    if (await hasAccess(authorizer, response, access)) permitted.push(kind)
  }
  return permitted
}
