import type { ApiObject } from 'flotilla/planes'

/** The name of an object and the uid that distinguishes it from others of the same name. */
export interface ObjectIdentity {
  readonly name: string
  readonly uid: string
}

/** The identity of a stored object. */
export function identityOf({ metadata: { name = '', uid = '' } }: ApiObject): ObjectIdentity {
  return { name, uid }
}
