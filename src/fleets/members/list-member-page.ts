import { isStorableText } from '../../store/database/storable-text.ts'
import { listMembers } from '../../store/members/list-members.ts'
import type { MemberPageQuery } from '../../store/members/list-members.ts'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'
import { badRequest, versionExpired } from '../../planes/errors/failures.ts'
import { memberQuery } from './compare-fleet.ts'
import type { FleetMemberList, MemberListOptions } from './member-list.ts'
import type { MemberParts } from './creation/member-parts.ts'
import { memberStateOf } from './member-state-of.ts'
import { readFleet } from './read-fleet.ts'

const DEFAULT_LIMIT = 500
const MAX_LIMIT = 1000

/** Reads a page of the members of a fleet. */
export async function listMemberPage(
  parts: MemberParts,
  name: string,
  { phase, limit = DEFAULT_LIMIT, continue: token }: MemberListOptions,
): Promise<FleetMemberList> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw badRequest(`limit must be an integer from 1 to ${MAX_LIMIT}`)
  }
  const fleet = await readFleet(parts, name)
  const after = token === undefined ? null : parseToken(token, fleet.uid)
  const page = await listMembers(parts.context.database, {
    ...memberQuery(parts, fleet),
    phase: phase ?? null,
    after,
    limit,
  })
  const last = page.entries.at(-1)
  const hasMore = page.remaining > 0 && last !== undefined
  return {
    apiVersion: 'kplane.dev/v1',
    kind: 'FleetMemberList',
    metadata: {
      resourceVersion: String(page.revision),
      ...(hasMore && {
        continue: formatToken(fleet.uid, last),
        remainingItemCount: page.remaining,
      }),
    },
    items: page.entries.map((entry) => memberStateOf(entry, fleet.createdTime)),
  }
}

type Position = NonNullable<MemberPageQuery['after']>

/** Clients pass the token back unchanged. */
function formatToken(fleet: string, { index, name }: Position): string {
  return Buffer.from(JSON.stringify({ fleet, index, name })).toString('base64url')
}

/** 400 for a token that no page returned, 410 for a token of an earlier Fleet of this name. */
function parseToken(token: string, fleet: string): Position {
  const value = jsonOf(Buffer.from(token, 'base64url').toString())
  if (!isJsonObject(value)) throw badToken()
  const { index = null, name } = value
  if (typeof name !== 'string' || !isStorableText(name)) throw badToken()
  if (index !== null && !isIndex(index)) throw badToken()
  if (value['fleet'] !== fleet) {
    throw versionExpired('The continue token belongs to an earlier Fleet of this name: list again')
  }
  return { index, name }
}

function isIndex(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31
}

function jsonOf(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function badToken() {
  return badRequest('continue must be the token of the page before')
}
