import type { IncomingMessage } from 'node:http'
import { isNamePart } from '../../../access/name-prefixes.ts'
import { headerLines } from '../../../http/requests/header-lines.ts'
import { badRequest } from '../../errors/failures.ts'
import type { AccessAttributes, PlaneAuthorizer } from '../../model/access.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { accessDenied } from '../denial.ts'
import { serviceAccountGroups, serviceAccountOf } from '../rbac/service-account-name.ts'
import { ANONYMOUS, AUTHENTICATED, UNAUTHENTICATED } from '../system-groups.ts'

const USER = 'impersonate-user'
const UID = 'impersonate-uid'
const GROUP = 'impersonate-group'
const EXTRA = 'impersonate-extra-'
const KNOWN: ReadonlySet<string> = new Set([USER, UID, GROUP])
const AUTHENTICATION = 'authentication.k8s.io'
/** Each value costs an authorization. */
const MAX_VALUES = 200

/** The user that a request asks to act as. Groups are null if the request names none. */
interface Requested {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[] | null
  readonly extra: ReadonlyMap<string, readonly string[]>
}

/**
 * The user that the headers `Impersonate-*` name; null without these headers. Throws a 403 unless
 * the caller has the verb `impersonate` for each part of it.
 */
export async function impersonatedUser(
  request: IncomingMessage,
  { plane, caller }: { readonly plane: string; readonly caller: UserInfo },
  authorizer: PlaneAuthorizer,
): Promise<UserInfo | null> {
  const requested = requestedUser(request)
  if (!requested) return null
  for (const resource of neededResources(requested)) {
    const attributes = { plane, user: caller, verb: 'impersonate', resource, path: '' }
    const { allowed, reason } = await authorizer.authorize(attributes)
    if (!allowed) throw accessDenied(attributes, reason)
  }
  const { name, uid, extra } = requested
  return {
    name,
    uid,
    groups: groupsOf(requested),
    extra: Object.fromEntries(extra),
    impersonator: caller,
  }
}

/** Reads the headers. Throws a 400 unless all of them are known and they name one user. */
function requestedUser(request: IncomingMessage): Requested | null {
  const names = Object.keys(request.headers).filter((name) => name.startsWith('impersonate-'))
  if (names.length === 0) return null
  const unknown = names.find((header) => !KNOWN.has(header) && !header.startsWith(EXTRA))
  if (unknown !== undefined) throw badRequest(`the header ${unknown} is unknown`)
  const name = onlyLine(request, USER)
  const uid = onlyLine(request, UID)
  const groups = headerLines(request, GROUP)
  const extra = new Map(
    names
      .filter((header) => header.startsWith(EXTRA))
      .map((header) => [decoded(header.slice(EXTRA.length)), headerLines(request, header)]),
  )
  const values = groups.length + [...extra.values()].flat().length
  if (values > MAX_VALUES) throw badRequest(`more than ${MAX_VALUES} impersonation headers`)
  if (!isNamePart(name)) throw badRequest(`${USER} has control characters`)
  if (name !== '') return { name, uid, groups: groups.length > 0 ? groups : null, extra }
  throw badRequest(`requested ${names.toSorted().join(', ')} without impersonating a user`)
}

/** The value of a header; empty if it is absent. */
function onlyLine(request: IncomingMessage, header: string): string {
  const [line = '', ...others] = headerLines(request, header)
  if (others.length > 0) throw badRequest(`the header ${header} appears more than once`)
  return line
}

/** The objects that the caller must be allowed to impersonate. */
function neededResources({
  name,
  uid,
  groups,
  extra,
}: Requested): readonly NonNullable<AccessAttributes['resource']>[] {
  const account = serviceAccountOf(name)
  return [
    account
      ? { ...coreResource('serviceaccounts', account.name), namespace: account.namespace }
      : coreResource('users', name),
    ...(groups ?? []).map((group) => coreResource('groups', group)),
    ...[...extra].flatMap(([key, values]) =>
      values.map((value) => ({ ...identityResource('userextras', value), subresource: key })),
    ),
    ...(uid === '' ? [] : [identityResource('uids', uid)]),
  ]
}

function coreResource(plural: string, name: string): NonNullable<AccessAttributes['resource']> {
  return { group: '', version: 'v1', plural, subresource: '', namespace: '', name }
}

function identityResource(plural: string, name: string): NonNullable<AccessAttributes['resource']> {
  return { ...coreResource(plural, name), group: AUTHENTICATION }
}

/** Adds the groups that follow from the user: those of a service account, and authentication. */
function groupsOf({ name, groups }: Requested): readonly string[] {
  const account = serviceAccountOf(name)
  const named = groups ?? (account ? serviceAccountGroups(account.namespace) : [])
  if (named.includes(UNAUTHENTICATED)) return named
  if (name === ANONYMOUS) return [...named, UNAUTHENTICATED]
  return named.includes(AUTHENTICATED) ? named : [...named, AUTHENTICATED]
}

/** The key of an extra, whose bytes a header may encode. A malformed encoding is kept. */
function decoded(key: string): string {
  try {
    return decodeURIComponent(key)
  } catch {
    return key
  }
}
