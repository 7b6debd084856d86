import { BASE_PATH } from '../paths/base-path.ts'

/** The path of the page; the document and the page's assets are below it. */
export const PAGE_FOLDER = '/openapi/'

/** The paths of the document: at the server's root for client generators, and below the API. */
export const JSON_PATHS = [
  `${PAGE_FOLDER}flotilla.json`,
  `${BASE_PATH}/openapi`,
  `${BASE_PATH}/openapi.json`,
]
export const YAML_PATHS = [`${PAGE_FOLDER}flotilla.yaml`, `${BASE_PATH}/openapi.yaml`]

/** The document in OpenAPI 3.0, for generators that do not read 3.1. */
export const JSON_30_PATH = `${PAGE_FOLDER}flotilla-3.0.json`
export const YAML_30_PATH = `${PAGE_FOLDER}flotilla-3.0.yaml`

/** The document of snapshots and fleets, for programs that use no other part of the API. */
export const FLEETS_JSON_PATH = `${PAGE_FOLDER}kplane.json`
export const FLEETS_YAML_PATH = `${PAGE_FOLDER}kplane.yaml`
