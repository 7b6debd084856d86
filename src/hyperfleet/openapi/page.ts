import { createHash } from 'node:crypto'
import type { PublicFile } from './file-route.ts'
import { SCRIPT, STYLE } from './page-assets.ts'

interface PageOptions {
  readonly path: string
  /** The folder of the page's assets, relative to the page: '' or ending in a slash. */
  readonly assets: string
  /** The document as JSON, relative to the page. */
  readonly document: string
}

/** The page that shows the document. It may load resources only from this server. */
export function documentPage({ path, assets, document }: PageOptions): PublicFile {
  const script = `SwaggerUIBundle({ url: '${document}', dom_id: '#ui', validatorUrl: null })`
  return {
    path,
    type: 'text/html',
    content: () => html(assets, script),
    headers: { 'Content-Security-Policy': policy(script) },
  }
}

function html(assets: string, script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>HyperFleet API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}${STYLE}">
</head>
<body>
<div id="ui"></div>
<script src="${assets}${SCRIPT}"></script>
<script>${script}</script>
</body>
</html>
`
}

/** Allows the page to load its assets and the document, and to send requests to this server. */
function policy(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64')
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
