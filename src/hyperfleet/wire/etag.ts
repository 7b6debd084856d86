import type { Request } from 'express'
import { invalid } from '../../lib/errors.ts'
import type { Resource } from '../../store/model/resource.ts'
import type { Precondition } from '../../store/operations/write/precondition.ts'

/** An element of a list of entity tags (RFC 9110), possibly empty; a tag may have commas inside. */
const LIST_ELEMENT = /[ \t]*(?:((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")[ \t]*)?(?:,|$)/y

/**
 * The entity tag of a resource. It identifies the version, not the bytes: report times, which
 * change with every heartbeat, do not affect it.
 */
export function etagOf({ id, version }: Pick<Resource, 'id' | 'version'>): string {
  return `"${id}.${version}"`
}

/** The precondition of `If-Match`. A weak tag never matches (RFC 9110). */
export function preconditionOf(request: Request): Precondition {
  const tags = tagsOf(request, 'if-match')
  if (tags === null || tags.includes('*')) return null
  return (resource) => tags.includes(etagOf(resource))
}

/** Whether the request changes only an existing resource, because it has `If-Match`. */
export function requiresExisting(request: Request): boolean {
  return tagsOf(request, 'if-match') !== null
}

/** Whether the request only creates a resource, because it has `If-None-Match: *`. */
export function requiresNew(request: Request): boolean {
  return tagsOf(request, 'if-none-match')?.includes('*') ?? false
}

/** Whether `If-None-Match` names the current version of the resource. */
export function isKnown(request: Request, resource: Pick<Resource, 'id' | 'version'>): boolean {
  return hasTag(request, etagOf(resource))
}

/** Whether `If-None-Match` names this entity tag. */
export function hasTag(request: Request, etag: string): boolean {
  const tags = tagsOf(request, 'if-none-match')
  if (tags === null) return false
  return tags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)
}

/** Null without the header. */
function tagsOf(request: Request, header: 'if-match' | 'if-none-match'): readonly string[] | null {
  const value = request.headers[header]
  if (value === undefined) return null
  if (value.trim() === '*') return ['*']
  const tags = listedTags(value)
  if (tags !== null) return tags
  const message = `${header} must be * or a comma-separated list of entity tags in double quotes`
  throw invalid([{ field: header, message, constraint: 'format', value }])
}

/** Null if the text is not a comma list of entity tags. */
function listedTags(text: string): readonly string[] | null {
  const tags: string[] = []
  LIST_ELEMENT.lastIndex = 0
  while (LIST_ELEMENT.lastIndex < text.length) {
    const element = LIST_ELEMENT.exec(text)
    if (element === null) return null
    if (element[1] !== undefined) tags.push(element[1])
  }
  return tags.length > 0 ? tags : null
}
