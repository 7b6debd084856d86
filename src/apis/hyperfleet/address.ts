import { BASE_PATH } from './base-path.ts'

/** Where a template below the base path is mounted, and what the metrics call it. */
export function addressOf(template: string): { readonly path: string; readonly template: string } {
  const path = BASE_PATH + template.replaceAll(/\{(\w+)\}/g, ':$1')
  return { path, template: BASE_PATH + template }
}
