/** PEM texts for mutual TLS: the own certificate with its key, and the CA of the peers. */
export interface TlsMaterial {
  readonly ca: string | Buffer
  readonly cert: string | Buffer
  readonly key: string | Buffer
}
