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

/** Whether a group consists of service accounts. */
export function isServiceAccountGroup(group: string): boolean {
  return group === ALL_SERVICE_ACCOUNTS || group.startsWith(`${ALL_SERVICE_ACCOUNTS}:`)
}

/** The service account that a user name denotes; null if it denotes another user. */
export function serviceAccountOf(
  user: string,
): { readonly namespace: string; readonly name: string } | null {
  if (!user.startsWith(PREFIX)) return null
  const [namespace = '', name = '', ...rest] = user.slice(PREFIX.length).split(':')
  return namespace === '' || name === '' || rest.length > 0 ? null : { namespace, name }
}
