import type { ErrorRequestHandler, RequestHandler } from 'express'

/** A route as Express mounts it. */
export interface AppRoute {
  readonly method: 'get' | 'post' | 'patch'
  /** In Express' syntax. */
  readonly path: string
  /** For logs and metrics. */
  readonly template: string
  /** Answered without authentication. */
  readonly public: boolean
  readonly handlers: readonly (RequestHandler | ErrorRequestHandler)[]
}
