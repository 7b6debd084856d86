import type { PlaneClient, PlaneResponse } from './plane-client.ts'

/** A resource that the suite runs with. */
export interface Subject {
  /** `configmaps` or `sites.conformance.example.com`. */
  readonly title: string
  readonly group: string
  readonly version: string
  readonly plural: string
  readonly kind: string
  /** Whether a change of the content raises the generation. */
  readonly hasGeneration: boolean
  /** Whether a definition creates the resource at run time. */
  readonly isCustom: boolean
  /** Members of an object with a value of up to 1 MiB. */
  content(value: string): Record<string, unknown>
  /** The value in an object. */
  valueOf(object: PlaneResponse['body']): string | undefined
}

const encode = (text: string) => Buffer.from(text).toString('base64')

export const CONFIG_MAPS: Subject = {
  title: 'configmaps',
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  hasGeneration: false,
  isCustom: false,
  content: (value) => ({ data: { value } }),
  valueOf: (object) => object.data?.value,
}

export const SECRETS: Subject = {
  title: 'secrets',
  group: '',
  version: 'v1',
  plural: 'secrets',
  kind: 'Secret',
  hasGeneration: false,
  isCustom: false,
  content: (value) => ({ data: { value: encode(value) } }),
  valueOf: (object) => {
    const value = object.data?.value
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString()
  },
}

export const LEASES: Subject = {
  title: 'leases.coordination.k8s.io',
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  hasGeneration: false,
  isCustom: false,
  content: (value) => ({ spec: { holderIdentity: value } }),
  valueOf: (object) => object.spec?.holderIdentity,
}

export const SITES: Subject = {
  title: 'sites.conformance.example.com',
  group: 'conformance.example.com',
  version: 'v1',
  plural: 'sites',
  kind: 'Site',
  hasGeneration: true,
  isCustom: true,
  content: (value) => ({ spec: { value } }),
  valueOf: (object) => object.spec?.value,
}

/** The definition of the custom resource. */
export const SITES_DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.conformance.example.com' },
  spec: {
    group: 'conformance.example.com',
    scope: 'Namespaced',
    names: { plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Value', type: 'string', jsonPath: '.spec.value' },
          {
            name: 'Ready',
            type: 'string',
            jsonPath: '.status.conditions[?(@.type=="Ready")].status',
          },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
        selectableFields: [{ jsonPath: '.spec.value' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  value: { type: 'string' },
                  size: { type: 'integer', default: 1 },
                },
              },
              status: {
                type: 'object',
                properties: {
                  conditions: {
                    type: 'array',
                    items: {
                      type: 'object',
                      properties: { type: { type: 'string' }, status: { type: 'string' } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
}

/** The path of the group version of a subject. */
export function groupPath({ group, version }: Subject): string {
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

/** The path of a subject's collection in a namespace. */
export function collectionPath(subject: Subject, namespace: string): string {
  return `${groupPath(subject)}/namespaces/${namespace}/${subject.plural}`
}

/** Creates the definition of the custom resource and waits until the plane serves it. */
export async function installSites(plane: PlaneClient): Promise<void> {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
  const created = await plane.call('POST', definitions, { body: SITES_DEFINITION })
  if (created.status !== 201 && created.status !== 409) throw new Error(created.text)
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const list = await plane.call('GET', collectionPath(SITES, 'default'))
    if (list.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error('the plane does not serve the definition within a minute')
}
