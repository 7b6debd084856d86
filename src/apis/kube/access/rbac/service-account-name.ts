const PREFIX = 'system:serviceaccount:'

/** The group of all service accounts of a plane. */
export const ALL_SERVICE_ACCOUNTS = 'system:serviceaccounts'

/** The user name of a service account. */
export function serviceAccountUser(namespace: string, name: string): string {
  return `${PREFIX}${namespace}:${name}`
}

/** The groups of a service account, without `system:authenticated`. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return [ALL_SERVICE_ACCOUNTS, `${ALL_SERVICE_ACCOUNTS}:${namespace}`]
}

/** The service account that a user name denotes; null if it denotes another user. */
export function serviceAccountOf(
  user: string,
): { readonly namespace: string; readonly name: string } | null {
  if (!user.startsWith(PREFIX)) return null
  const [namespace = '', name = '', ...rest] = user.slice(PREFIX.length).split(':')
  return namespace === '' || name === '' || rest.length > 0 ? null : { namespace, name }
}
