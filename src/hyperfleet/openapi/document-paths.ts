import { BASE_PATH } from '../paths/base-path.ts'

/** The path of the page; the document and the page's assets are below it. */
export const PAGE_FOLDER = '/openapi/'

/** The document in OpenAPI 3.1, which includes JSON Patch. */
export const JSON_PATH = `${PAGE_FOLDER}flotilla.json`
export const YAML_PATH = `${PAGE_FOLDER}flotilla.yaml`

/** The document in OpenAPI 3.0, for generators that do not read 3.1. */
export const JSON_30_PATH = `${PAGE_FOLDER}flotilla-3.0.json`
export const YAML_30_PATH = `${PAGE_FOLDER}flotilla-3.0.yaml`

/** The same below the API, at the address of the document of HyperFleet. */
export const JSON_30_PATHS = [JSON_30_PATH, `${BASE_PATH}/openapi`, `${BASE_PATH}/openapi.json`]
export const YAML_30_PATHS = [YAML_30_PATH, `${BASE_PATH}/openapi.yaml`]

/** The document of snapshots and fleets, for programs that use no other part of the API. */
export const FLEETS_JSON_PATH = `${PAGE_FOLDER}kplane.json`
export const FLEETS_YAML_PATH = `${PAGE_FOLDER}kplane.yaml`
