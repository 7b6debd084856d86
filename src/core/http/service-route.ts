import type { RequestHandler } from 'express'
import type { AppRoute } from './app-route.ts'
import { API_PATH, BASE_PATH } from './base-path.ts'

const describeService: RequestHandler = (_request, response) => {
  response.json({ id: 'v1', kind: 'API', href: BASE_PATH, version: 'v1' })
}

/** GET of the API's root: what is served here. */
export const serviceRoute: AppRoute = {
  method: 'get',
  path: API_PATH,
  template: API_PATH,
  public: true,
  handlers: [describeService],
}
