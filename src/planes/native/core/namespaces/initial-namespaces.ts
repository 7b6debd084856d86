/** The namespaces of every plane. Each has a default service account. */
export const INITIAL_NAMESPACES: readonly string[] = [
  'default',
  'kube-node-lease',
  'kube-public',
  'kube-system',
]
