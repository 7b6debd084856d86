import type { OpenapiPart } from '../../capability/capability.ts'
import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { kindRoutes, lookupRoutes } from '../../store/registry/kind-routes.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { operationOf } from './kind-paths.ts'
import { kindSchemas } from './kind-schemas.ts'
import { listParameterComponents } from './list-parameters.ts'
import { commonReferenceSchemas } from '../wire/reference-schemas.ts'
import { mergePatchSchemas } from '../wire/resource-fields.ts'
import { resourcePaths, resourceSchemas } from './resource-paths.ts'

/** The parts of `openapi/base.yaml` that `composeOpenapi` extends. */
export interface BaseDocument extends JsonObject {
  readonly paths: JsonObject
  readonly components: JsonObject & {
    readonly headers: JsonObject
    readonly parameters: JsonObject
    readonly schemas: JsonObject
  }
}

/** The content of the file of a capability. */
export interface DocumentAddition extends JsonObject {
  readonly tags?: readonly JsonObject[]
  readonly paths?: JsonObject
  readonly components?: Partial<Record<AddedComponents, JsonObject>>
}

/** The additions of a capability to the document. */
export interface DocumentPart extends Pick<OpenapiPart, 'paths'> {
  readonly content: DocumentAddition
}

type AddedComponents = 'headers' | 'parameters' | 'schemas'

/** Composes the API's document: the base, the schemas and paths of all kinds, the additions of parts. */
export function composeOpenapi(
  base: BaseDocument,
  registry: Registry,
  parts: readonly DocumentPart[],
): JsonObject {
  const paths = new Map<string, JsonObject>()
  for (const route of [...kindRoutes(registry), ...lookupRoutes(registry)]) {
    const item = paths.get(route.template) ?? {}
    paths.set(route.template, { ...item, [route.method]: operationOf(route) })
  }
  const common = withMergePatch(base.components.schemas)
  const added = (name: AddedComponents): JsonObject =>
    Object.assign({}, ...parts.map(({ content }) => content.components?.[name]))
  return {
    ...base,
    tags: [
      ...registry.kinds.map((kind) => ({ name: kind.kind })),
      { name: 'Resource' },
      ...parts.flatMap(({ content }) => content.tags ?? []),
      { name: 'Meta' },
    ],
    paths: {
      ...Object.fromEntries(paths),
      ...Object.assign({}, ...parts.map((part) => part.paths?.(registry.kinds))),
      ...resourcePaths(registry.kinds),
      ...base.paths,
      ...Object.assign({}, ...parts.map(({ content }) => content.paths)),
    },
    components: {
      ...base.components,
      headers: { ...base.components.headers, ...added('headers') },
      parameters: {
        ...base.components.parameters,
        ...listParameterComponents(),
        ...added('parameters'),
      },
      schemas: Object.assign(
        {},
        common,
        added('schemas'),
        commonReferenceSchemas(common, registry.kinds),
        ...registry.kinds.map(kindSchemas),
        resourceSchemas(registry.kinds),
      ),
    },
  }
}

function withMergePatch(schemas: JsonObject): JsonObject {
  const { MergePatchRequest: schema } = schemas
  if (!isJsonObject(schema)) return schemas
  return { ...schemas, MergePatchRequest: { ...schema, properties: mergePatchSchemas() } }
}
