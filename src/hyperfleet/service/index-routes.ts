import type { RequestHandler } from 'express'
import { packageVersion } from '../../lib/package-version.ts'
import type { Registry } from '../../store/registry/registry.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { BASE_PATH } from '../paths/base-path.ts'
import type { ProbePorts } from '../../capability/api.ts'
import { fixedLinks, probeLinks } from './index-links.ts'
import { indexPage } from './index-page.ts'

/**
 * GET of `/` and of the base path: links to everything that the server offers, for users who know
 * only its address. JSON, or a page if the request prefers HTML.
 */
export function indexRoutes(registry: Registry, ports: ProbePorts): readonly AppRoute[] {
  const fixed = fixedLinks(registry)
  const version = packageVersion()
  const answer: RequestHandler = (request, response) => {
    const links = { ...fixed, ...probeLinks(request.hostname, ports) }
    response.set({ 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff' })
    response.vary('Accept').vary('Host')
    if (request.accepts(['json', 'html']) === 'html') {
      const { html, policy } = indexPage(version, links)
      response.set('Content-Security-Policy', policy).type('html').send(html)
      return
    }
    response.json({ kind: 'Index', name: 'Flotilla', version, links })
  }
  return ['/', BASE_PATH].map((path) => {
    return { method: 'get', path, template: path, public: true, access: null, handlers: [answer] }
  })
}
