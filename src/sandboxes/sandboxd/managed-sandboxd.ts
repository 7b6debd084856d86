import path from 'node:path'

/** The argument of a sandboxd that a server has started. It ends its workloads when it stops. */
export const MANAGED_ARGUMENT = '--managed'

/** The file with the pid of a sandboxd that a server has started. */
export function managedFile(directory: string): string {
  return path.join(directory, 'managed-pid')
}
