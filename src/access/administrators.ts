/** A user or group that may do everything. */
export interface AdministratorName {
  readonly type: 'user' | 'group'
  readonly name: string
}

/** Reads AUTHORIZATION_ADMINS: entries such as `user:ada@example.com` and `group:platform`. */
export function readAdministrators(text: string): readonly AdministratorName[] {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '').map(administratorOf)
}

function administratorOf(entry: string): AdministratorName {
  const at = entry.indexOf(':')
  const type = entry.slice(0, Math.max(at, 0))
  const name = entry.slice(at + 1)
  if ((type !== 'user' && type !== 'group') || name === '') {
    throw new Error(`expected user:name or group:name, found '${entry}'`)
  }
  if (name.startsWith('system:')) {
    throw new Error(`'${name}' is reserved: names of tokens and headers never begin with system:`)
  }
  return { type, name }
}

/** Whether a user is one of the administrators. */
export function isAdministrator(
  administrators: readonly AdministratorName[],
  user: { readonly name: string; readonly groups: readonly string[] },
): boolean {
  return administrators.some(({ type, name }) =>
    type === 'user' ? name === user.name : user.groups.includes(name),
  )
}
