/** The content of a kubeconfig file. */
export interface KubeconfigSource {
  readonly name: string
  readonly server: string
  readonly token: string | null
}

/** A kubeconfig as YAML; kubectl and every Kubernetes client read it. */
export function kubeconfig({ name, server, token }: KubeconfigSource): string {
  const quoted = JSON.stringify(name)
  // The official clients reject plain HTTP unless the verification of certificates is off.
  const insecure = server.startsWith('http:') ? ', insecure-skip-tls-verify: true' : ''
  const user = token === null ? '{}' : `{ token: ${JSON.stringify(token)} }`
  return `apiVersion: v1
kind: Config
clusters:
  - name: ${quoted}
    cluster: { server: ${JSON.stringify(server)}${insecure} }
users:
  - name: ${quoted}
    user: ${user}
contexts:
  - name: ${quoted}
    context: { cluster: ${quoted}, user: ${quoted} }
current-context: ${quoted}
`
}
