import type { ObjectPage } from '../../../store/objects/model/object-query.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import { storedTextOf } from '../../../store/objects/model/stored-text.ts'
import { KubeError } from '../../errors/kube-error.ts'

/** A response is one string, of which V8 allows 512 MiB. */
const MAX_CHARACTERS = 256 * 1024 * 1024

/** The paging parameters of a list. */
interface Paging {
  readonly limit?: number
  /** The position of a later page. */
  readonly continue?: string
}

/**
 * A page that fits in a response: one that is too long ends earlier, as a client that reads pages
 * expects. Throws a 413 if the client wants the whole list in one response.
 */
export function boundPage(
  page: ObjectPage,
  { limit = 0, continue: token = '' }: Paging,
  maxCharacters = MAX_CHARACTERS,
): ObjectPage {
  const end = endWithin(page.objects, maxCharacters)
  if (end === page.objects.length) return page
  if (limit <= 0 && token === '') throw listTooLarge(maxCharacters)
  return { ...page, objects: page.objects.slice(0, end), remaining: null, hasMore: true }
}

/** The number of first objects whose texts fit, at least one. Computed objects are few and short. */
function endWithin(objects: readonly StoredObject[], maxCharacters: number): number {
  let characters = 0
  const first = objects.findIndex((object, index) => {
    const text = storedTextOf(object)
    if (text !== null) characters += text.body.length + text.managedFields.length
    return characters > maxCharacters && index > 0
  })
  return first === -1 ? objects.length : first
}

function listTooLarge(maxCharacters: number): KubeError {
  return new KubeError(
    'too-large',
    `the list has more than ${maxCharacters} characters of JSON: read it in pages, with limit and continue`,
    { code: 413, statusReason: 'RequestEntityTooLarge' },
  )
}
