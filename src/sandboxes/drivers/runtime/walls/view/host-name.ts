/** The kernel accepts 64 bytes, and names in DNS 63. */
const MAX_HOST_NAME = 63

/** The host name of a sandbox, whose name can be longer. Kubernetes shortens those of pods too. */
export function hostNameOf(name: string): string {
  return name.slice(0, MAX_HOST_NAME).replace(/[-.]+$/, '')
}
