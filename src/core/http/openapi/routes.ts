import type { RequestHandler } from 'express'
import { stringify } from 'yaml'
import type { JsonObject } from '../../../lib/json.ts'
import type { AppRoute } from '../app-route.ts'
import { BASE_PATH } from '../base-path.ts'
import { JSON_PATHS, PAGE_FOLDER, YAML_PATHS } from './document-paths.ts'
import { fileRoute, type PublicFile } from './file-route.ts'
import { readPageAssets } from './page-assets.ts'
import { documentPage } from './page.ts'

/** The composed document as text, as committed under `openapi/`. */
export function openapiYaml(document: JsonObject): string {
  return stringify(document, { lineWidth: 100, aliasDuplicateObjects: false })
}

/** The public routes that serve the document: JSON, YAML, and a page that needs no other host. */
export function openapiRoutes(document: JsonObject): readonly AppRoute[] {
  return [...documentFiles(document), ...pageFiles()].map(fileRoute).concat(pageRedirect)
}

/** Without kinds or schemas of a configuration, the YAML is the committed file to the byte. */
function documentFiles(document: JsonObject): readonly PublicFile[] {
  const yaml = { type: 'application/yaml; charset=utf-8', content: openapiYaml(document) }
  const json = { type: 'application/json; charset=utf-8', content: JSON.stringify(document) }
  return [
    ...YAML_PATHS.map((path) => ({ path, ...yaml })),
    ...JSON_PATHS.map((path) => ({ path, ...json })),
  ]
}

function pageFiles(): readonly PublicFile[] {
  const assets = readPageAssets()
  const assetsIn = (folder: string): readonly PublicFile[] =>
    assets.map(({ name, ...asset }) => ({ path: folder + name, ...asset }))
  return [
    documentPage({ path: PAGE_FOLDER, assets: '', document: 'flotilla.json' }),
    ...assetsIn(PAGE_FOLDER),
    documentPage({
      path: `${BASE_PATH}/openapi.html`,
      assets: 'openapi-ui/',
      document: 'openapi',
    }),
    ...assetsIn(`${BASE_PATH}/openapi-ui/`),
  ]
}

const PAGE_WITHOUT_SLASH = PAGE_FOLDER.slice(0, -1)

/** Relative: a proxy may have put something before the path. */
const redirect: RequestHandler = (_request, response) => {
  response.redirect(308, PAGE_FOLDER.slice(1))
}

const pageRedirect: AppRoute = {
  method: 'get',
  path: PAGE_WITHOUT_SLASH,
  template: PAGE_WITHOUT_SLASH,
  public: true,
  handlers: [redirect],
}
