import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { lazy } from '../../lib/lazy.ts'
import type { PublicFile } from './file-route.ts'

/** The only files of `swagger-ui-dist` that the page needs. */
export const STYLE = 'swagger-ui.css'
export const SCRIPT = 'swagger-ui-bundle.js'

const TYPES = {
  [STYLE]: 'text/css; charset=utf-8',
  [SCRIPT]: 'text/javascript; charset=utf-8',
}

interface PageAsset extends Pick<PublicFile, 'type' | 'content'> {
  readonly name: string
}

/** The assets in the installed package. */
export function pageAssets(): readonly PageAsset[] {
  const manifest = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')
  return Object.entries(TYPES).map(([name, type]) => {
    return {
      name,
      type,
      content: lazy(() => readFileSync(path.join(path.dirname(manifest), name))),
    }
  })
}
