import type { JsonObject } from '../../lib/json/json.ts'

/** A definition of the kind Widget in the group example.com, whose spec has a rule. */
export const WIDGETS: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget', shortNames: ['wg'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  size: { type: 'integer', default: 3 },
                  label: { type: 'string', maxLength: 12 },
                },
                'x-kubernetes-validations': [{ rule: 'self.size < 10', message: 'too large' }],
              },
              status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            },
          },
        },
      },
    ],
  },
}

/** An instance of WIDGETS. */
export function widget(name: string, spec: JsonObject, namespace?: string): JsonObject {
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec,
  }
}

/** A config map in the namespace `default`, or in another one. */
export function configMap(name: string, data: JsonObject, namespace?: string): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    data,
  }
}

/** A namespace. */
export function namespaceOf(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
