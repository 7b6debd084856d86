import { BASE_PATH } from './base-path.ts'

/** The path that a template below the base path is mounted at, and its name in metrics. */
export function addressOf(template: string): { readonly path: string; readonly template: string } {
  const path = BASE_PATH + template.replaceAll(/\{(\w+)\}/g, ':$1')
  return { path, template: BASE_PATH + template }
}
