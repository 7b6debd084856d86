import type { Request, Response } from 'express'
import { badRequest } from '../errors/failures.ts'
import type { Requester } from '../model/object-operations.ts'
import type { UserInfo } from '../model/user-info.ts'
import { FENCE_HEADER, parseFence } from '../model/write-fence-header.ts'
import { warningSender } from '../requests/warning-header.ts'

/** The sender of a request. 400 if the header with its fence is malformed. */
export function requesterOf(request: Request, response: Response, user: UserInfo): Requester {
  const warn = warningSender((warning) => void response.append('Warning', warning))
  const header = request.get(FENCE_HEADER)
  if (header === undefined) return { user, warn }
  const fence = parseFence(header)
  if (fence === null) throw badRequest(`the header ${FENCE_HEADER} is malformed`)
  return { user, warn, fence }
}
