import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { RequestHandler } from 'express'
import { stringify } from 'yaml'
import type { JsonObject } from '../../../lib/json.ts'
import type { AppRoute } from '../app-route.ts'
import { BASE_PATH } from '../base-path.ts'

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HyperFleet API</title>
<link rel="stylesheet" href="openapi-ui/swagger-ui.css">
</head>
<body>
<div id="ui"></div>
<script src="openapi-ui/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: 'openapi', dom_id: '#ui' })</script>
</body>
</html>
`

/** Files of the page, served from the package that the server was installed with. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js']

/** The composed document as text, as committed under `openapi/`. */
export function openapiYaml(document: JsonObject): string {
  return stringify(document, { lineWidth: 100, aliasDuplicateObjects: false })
}

/** The public routes that serve the document: JSON, YAML, and a page that needs no other host. */
export function openapiRoutes(document: JsonObject): readonly AppRoute[] {
  const yaml = openapiYaml(document)
  const json = JSON.stringify(document)
  const folder = path.dirname(
    createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'),
  )
  const serve = (name: string, handler: RequestHandler): AppRoute => {
    const address = `${BASE_PATH}/${name}`
    return { method: 'get', path: address, template: address, public: true, handlers: [handler] }
  }
  return [
    serve('openapi', (_request, response) => void response.type('json').send(json)),
    serve(
      'openapi.yaml',
      (_request, response) => void response.type('application/yaml').send(yaml),
    ),
    serve('openapi.html', (_request, response) => void response.type('html').send(PAGE)),
    ...ASSETS.map((asset) =>
      // Not `sendFile`: it fails on conditions and ranges that it cannot meet.
      serve(`openapi-ui/${asset}`, async (_request, response) => {
        response.type(path.extname(asset)).send(await readFile(path.join(folder, asset)))
      }),
    ),
  ]
}
