/** The group whose members may do everything. */
export const MASTERS = 'system:masters'

/** The group of all authenticated users. */
export const AUTHENTICATED = 'system:authenticated'

/** The group of anonymous users. */
export const UNAUTHENTICATED = 'system:unauthenticated'

/** The user of requests without credentials. */
export const ANONYMOUS = 'system:anonymous'

/** Whether only the server may assign a name of a user or group. */
export function isReservedName(name: string): boolean {
  return name.startsWith('system:')
}
