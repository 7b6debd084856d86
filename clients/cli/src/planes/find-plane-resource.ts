import { NotFound } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { planePath } from './plane-path.ts'

/** A resource of a plane, from its discovery. */
export interface PlaneResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly namespaced: boolean
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string
    readonly kind: string
    readonly namespaced: boolean
  }[]
}

interface ObjectType {
  readonly cluster: string
  /** `v1` or `kplane.dev/v1`. */
  readonly apiVersion: string
  readonly kind: string
}

/** Finds the resource of a type in the discovery of a plane. */
export async function findPlaneResource(
  { client, signal }: Pick<Session, 'client' | 'signal'>,
  { cluster, apiVersion, kind }: ObjectType,
): Promise<PlaneResource> {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
  const path = planePath(cluster, group === '' ? `/api/${version}` : `/apis/${apiVersion}`)
  const request = { method: 'GET', path, retry: 'always', signal } as const
  const resources = await client.request<ResourceList>(request).then(
    ({ body }) => body.resources,
    (error: unknown) => {
      if (error instanceof NotFound && !isMissingCluster(error)) return []
      throw error
    },
  )
  const found = resources.find((one) => one.kind === kind && !one.name.includes('/'))
  if (found === undefined) throw unknownKind({ cluster, apiVersion, kind })
  const { name: plural, namespaced } = found
  return { group: group ?? '', version: version ?? '', kind, plural, namespaced }
}

/** The error of a plane whose cluster does not exist names the cluster. */
function isMissingCluster({ message }: NotFound): boolean {
  return message.includes('cluster')
}

function unknownKind({ cluster, apiVersion, kind }: ObjectType): CliError {
  return new CliError(`the plane '${cluster}' has no kind ${kind} in ${apiVersion}`, {
    exit: 'notFound',
    hint:
      cluster === 'root'
        ? 'Add --cluster NAME for the plane of a cluster, or apply its CustomResourceDefinition first.'
        : 'Apply its CustomResourceDefinition first, or correct apiVersion and kind.',
  })
}
