import type { RequestHandler } from 'express'
import { stringify } from 'yaml'
import { lazy } from '../../lib/lazy.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { BASE_PATH } from '../paths/base-path.ts'
import {
  FLEETS_JSON_PATH,
  FLEETS_YAML_PATH,
  JSON_30_PATHS,
  JSON_PATH,
  PAGE_FOLDER,
  YAML_30_PATHS,
  YAML_PATH,
} from './document-paths.ts'
import { fileRoute, type PublicFile } from './file-route.ts'
import { openapi30 } from './openapi-30.ts'
import { pageAssets } from './page-assets.ts'
import { documentPage } from './page.ts'

/** The composed document as YAML, in the format of the files in `openapi/`. */
export function openapiYaml(document: JsonObject): string {
  return stringify(document, { lineWidth: 100, aliasDuplicateObjects: false })
}

/**
 * The public routes of the documents: JSON, YAML and a page that needs no other host. The document
 * of fleets is composed for its first request.
 */
export function openapiRoutes(
  document: JsonObject,
  fleetDocument: (() => JsonObject) | null,
): readonly AppRoute[] {
  const paths = { json: [FLEETS_JSON_PATH], yaml: [FLEETS_YAML_PATH] }
  const fleets = fleetDocument === null ? [] : filesOf(lazy(fleetDocument), paths)
  return [...documentFiles(document), ...fleets, ...pageFiles()].map(fileRoute).concat(pageRedirect)
}

function documentFiles(document: JsonObject): readonly PublicFile[] {
  return [
    ...filesOf(() => document, { json: [JSON_PATH], yaml: [YAML_PATH] }),
    ...filesOf(
      lazy(() => openapi30(document)),
      { json: JSON_30_PATHS, yaml: YAML_30_PATHS },
    ),
  ]
}

interface Paths {
  readonly json: readonly string[]
  readonly yaml: readonly string[]
}

/** Without configured kinds or schemas, the YAML of 3.1 equals a committed file byte for byte. */
function filesOf(document: () => JsonObject, paths: Paths): readonly PublicFile[] {
  const yaml = {
    type: 'application/yaml; charset=utf-8',
    content: lazy(() => openapiYaml(document())),
  }
  const json = {
    type: 'application/json',
    content: lazy(() => JSON.stringify(document())),
  }
  return [
    ...paths.yaml.map((path) => ({ path, ...yaml })),
    ...paths.json.map((path) => ({ path, ...json })),
  ]
}

function pageFiles(): readonly PublicFile[] {
  const assets = pageAssets()
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

/** Redirects to a relative path, because a proxy may have removed a prefix of the path. */
const redirect: RequestHandler = (_request, response) => {
  response.redirect(308, PAGE_FOLDER.slice(1))
}

const pageRedirect: AppRoute = {
  method: 'get',
  path: PAGE_WITHOUT_SLASH,
  template: PAGE_WITHOUT_SLASH,
  public: true,
  access: null,
  handlers: [redirect],
}
