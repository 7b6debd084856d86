/** How controllers in another process reach a server. */
export interface HttpOptions {
  /** Such as `https://flotilla.example`. */
  readonly server: string
  /** Called for each request, because tokens of service accounts expire. Null for none. */
  readonly token?: () => Promise<string | null>
  /** Names the controller in logs and managed fields. */
  readonly userAgent: string
  readonly random?: () => number
}
