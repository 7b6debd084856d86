/** The connection to a plane, as kubectl stores it. */
export interface KubeconfigEntry {
  /** The name of the context, of the cluster and of the user. */
  readonly name: string
  /** The URL of the plane. */
  readonly server: string
  readonly token: string | null
  /** The authority of the server's certificate, as PEM. */
  readonly authority: string | null
}

/** The three parts of an entry in a kubeconfig file. */
export function kubeconfigParts({ name, server, token, authority }: KubeconfigEntry) {
  const data = authority === null ? null : Buffer.from(authority).toString('base64')
  const cluster = {
    server,
    ...(data !== null && { 'certificate-authority-data': data }),
    // The official clients reject plain HTTP unless the verification of certificates is off.
    ...(server.startsWith('http:') && { 'insecure-skip-tls-verify': true }),
  }
  return {
    clusters: { name, cluster },
    users: { name, user: token === null ? {} : { token } },
    contexts: { name, context: { cluster: name, user: name } },
  }
}
