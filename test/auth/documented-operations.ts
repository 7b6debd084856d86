import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { must } from '../../src/lib/assert.ts'

/** An operation that needs a caller. */
export interface Operation {
  readonly method: string
  readonly template: string
  /** Whether the operation can be a dry run. Other operations reject `dryRun`. */
  readonly hasDryRun: boolean
}

/** An operation in the document. */
interface Documented {
  readonly parameters?: readonly { readonly $ref?: string }[]
}

/** Begins the path of a route that is not below the base path. */
const AT_ROOT = '/api/..'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

/** Every route that needs a caller, from the document: the server refuses routes that are not in it. */
export async function documentedOperations(): Promise<readonly Operation[]> {
  const file = new URL('../../openapi/openapi.yaml', import.meta.url)
  const { paths }: { paths: Record<string, Record<string, Documented>> } = parse(
    await readFile(file, 'utf8'),
  )
  const found = Object.entries(paths).flatMap(([template, item]) =>
    METHODS.filter((method) => Object.hasOwn(item, method)).map((method) => ({
      method,
      template,
      hasDryRun: hasDryRun(must(item[method], 'an operation')),
    })),
  )
  return [
    ...found.filter(({ template }) => !template.startsWith('/openapi')),
    {
      method: 'get',
      template: `${AT_ROOT}/clusters/{cluster_id}/control-plane/snapshot`,
      hasDryRun: false,
    },
  ]
}

function hasDryRun({ parameters = [] }: Documented): boolean {
  return parameters.some(({ $ref }) => $ref === '#/components/parameters/dryRun')
}
