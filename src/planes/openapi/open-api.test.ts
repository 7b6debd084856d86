import SwaggerParser from '@apidevtools/swagger-parser'
import { describe, expect, it } from 'vitest'
import { must } from '../../lib/assert.ts'
import type { ResourceType } from '../model/resource-type.ts'
import type { Schema } from '../model/schema.ts'
import { NATIVE_RESOURCES } from '../native/native-resources.ts'
import { createOpenApi } from './open-api.ts'
import { openApiV3 } from './open-api-v3.ts'

const NATIVE = NATIVE_RESOURCES.map(({ type }) => type)

const WIDGET_SCHEMA: Schema = {
  type: 'object',
  description: 'A widget.',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['size', 'note'],
      properties: {
        size: { type: 'integer', minimum: 1, default: 1 },
        note: { type: 'string', nullable: true },
        port: {
          'x-kubernetes-int-or-string': true,
          anyOf: [{ type: 'integer' }, { type: 'string' }],
        },
        open: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { a: { type: 'string' } },
        },
        template: { type: 'object', 'x-kubernetes-embedded-resource': true },
        ports: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
}

const WIDGETS: ResourceType = {
  group: 'example.com',
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  listKind: 'WidgetList',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  versions: [
    {
      name: 'v1',
      served: true,
      schema: WIDGET_SCHEMA,
      printerColumns: [],
      selectableFields: ['spec.note'],
      hasStatus: true,
      scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
    },
  ],
  storageVersion: 'v1',
  isCustom: true,
}

/** A copy as clients receive it. */
function received(document: object) {
  return structuredClone(JSON.parse(JSON.stringify(document)))
}

async function openApiV2(types: readonly ResourceType[]) {
  const { body } = await createOpenApi().complete({ types }, 'json')
  return JSON.parse(body.toString())
}

describe('OpenAPI v3', () => {
  it('is valid for every group version', async () => {
    const types = [...NATIVE, WIDGETS]
    for (const group of new Set(types.map((type) => type.group))) {
      const document = openApiV3(types, { group, version: 'v1' })
      await expect(SwaggerParser.validate(received(document)), group).resolves.toBeDefined()
    }
  })

  it('names definitions and refers to them as Kubernetes does', () => {
    const { components } = received(openApiV3(NATIVE, { group: '', version: 'v1' }))
    const { schemas } = components
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'io.k8s.api.core.v1.ConfigMap',
        'io.k8s.api.core.v1.ConfigMapList',
        'io.k8s.api.core.v1.NamespaceSpec',
        'io.k8s.api.authentication.v1.TokenRequest',
        'io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry',
      ]),
    )
    expect(schemas['io.k8s.api.core.v1.Namespace']).toMatchObject({
      type: 'object',
      properties: {
        apiVersion: { type: 'string' },
        metadata: {
          allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }],
        },
        spec: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.core.v1.NamespaceSpec' }] },
      },
      'x-kubernetes-group-version-kind': [{ group: '', kind: 'Namespace', version: 'v1' }],
    })
    expect(schemas['io.k8s.api.core.v1.ServiceAccount'].properties.secrets).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    })
  })

  it('declares dry run and field validation in every operation, as kubectl expects', () => {
    const { paths } = received(openApiV3(NATIVE, { group: '', version: 'v1' }))
    const { patch } = paths['/api/v1/namespaces/{name}']
    expect(patch['x-kubernetes-group-version-kind']).toEqual({
      group: '',
      kind: 'Namespace',
      version: 'v1',
    })
    expect(patch['x-kubernetes-action']).toBe('patch')
    expect(patch.parameters.map(({ name }: { name?: string }) => name)).toEqual(
      expect.arrayContaining(['dryRun', 'fieldManager', 'fieldValidation']),
    )
  })

  it('has no empty list of parameters, which clients in Go omit', () => {
    const documents = [
      openApiV3(NATIVE, { group: '', version: 'v1' }),
      openApiV3([WIDGETS], { group: 'example.com', version: 'v1' }),
    ]
    expect(JSON.stringify(documents)).not.toContain('"parameters":[]')
  })

  it('describes a field of a nested type once', () => {
    const { components } = received(openApiV3(NATIVE, { group: '', version: 'v1' }))
    const { spec } = components.schemas['io.k8s.api.core.v1.Namespace'].properties
    expect(spec.description).toBe('The desired state of a namespace.')
    expect(components.schemas['io.k8s.api.core.v1.NamespaceSpec']).not.toHaveProperty('description')
  })

  it('lists the paths of all verbs and subresources', () => {
    const { paths } = received(openApiV3([WIDGETS], { group: 'example.com', version: 'v1' }))
    const methods = Object.entries<object>(paths).map(([path, item]) => [
      path.replace('/apis/example.com/v1', ''),
      Object.keys(item)
        .filter((method) => method !== 'parameters')
        .toSorted(),
    ])
    expect(Object.fromEntries(methods)).toEqual({
      '/namespaces/{namespace}/widgets': ['delete', 'get', 'post'],
      '/namespaces/{namespace}/widgets/{name}': ['delete', 'get', 'patch', 'put'],
      '/namespaces/{namespace}/widgets/{name}/scale': ['get', 'patch', 'put'],
      '/namespaces/{namespace}/widgets/{name}/status': ['get', 'patch', 'put'],
      '/widgets': ['get'],
    })
  })

  it('describes embedded objects and keeps every keyword of custom schemas', () => {
    const document = openApiV3([WIDGETS], { group: 'example.com', version: 'v1' })
    const widget = received(document).components.schemas['com.example.v1.Widget']
    const { spec, metadata } = widget.properties
    expect(metadata.allOf).toHaveLength(1)
    expect(widget['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.note' }])
    expect(spec.properties.note).toEqual({ type: 'string', nullable: true })
    expect(spec.properties.template.properties.metadata.allOf).toHaveLength(1)
    expect(spec.properties.open.properties).toEqual({ a: { type: 'string' } })
  })
})

describe('OpenAPI v2', () => {
  it('is valid', async () => {
    const document = await openApiV2([...NATIVE, WIDGETS])
    await expect(SwaggerParser.validate(document)).resolves.toBeDefined()
  })

  it('drops what clients of v2 cannot process', async () => {
    const { definitions } = await openApiV2([WIDGETS])
    const { spec, status, metadata } = definitions['com.example.v1.Widget'].properties
    expect(spec.required).toEqual(['size'])
    expect(spec.properties).toMatchObject({
      size: { type: 'integer', minimum: 1, default: 1 },
      note: {},
      port: { 'x-kubernetes-int-or-string': true },
      open: { 'x-kubernetes-preserve-unknown-fields': true },
    })
    expect(spec.properties.note).toEqual({})
    expect(spec.properties.port).not.toHaveProperty('anyOf')
    expect(spec.properties.open).not.toHaveProperty('properties')
    expect(status).not.toHaveProperty('type')
    expect(metadata.$ref).toBe('#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta')
  })

  it('describes the parameters that select objects with the words of Kubernetes', async () => {
    // Its test/cmd looks for them in the document of the server.
    const { parameters } = await openApiV2([WIDGETS])
    expect(parameters.labelSelector.description).toMatch('list of returned objects by their labels')
    expect(parameters.fieldSelector.description).toMatch('list of returned objects by their fields')
    expect(parameters.watch.description).toMatch('Watch for changes to the described resources')
  })

  it('serves an open schema without properties', async () => {
    const [version] = WIDGETS.versions
    const schema: Schema = { ...WIDGET_SCHEMA, 'x-kubernetes-preserve-unknown-fields': true }
    const open = { ...WIDGETS, versions: [{ ...must(version, 'a version'), schema }] }
    const { definitions } = await openApiV2([open])
    expect(definitions['com.example.v1.Widget']).toEqual({
      type: 'object',
      'x-kubernetes-group-version-kind': [{ group: 'example.com', kind: 'Widget', version: 'v1' }],
      'x-kubernetes-selectable-fields': [{ fieldPath: 'spec.note' }],
    })
  })
})
