/** A Sandbox of a page. */
export const SANDBOX = sandboxOf('from-a-page', ['/bin/sleep', '1000'])

/** A Sandbox that runs a program. */
export function sandboxOf(name: string, command: readonly string[]): object {
  return {
    apiVersion: 'agents.x-k8s.io/v1beta1',
    kind: 'Sandbox',
    metadata: { name },
    spec: {
      podTemplate: { spec: { containers: [{ name: 'main', command }] } },
    },
  }
}
