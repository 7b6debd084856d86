import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import { kindRoutes, lookupRoutes } from '../../store/registry/kind-routes.ts'
import type { Registry } from '../../store/registry/registry.ts'
import { operationOf } from './kind-paths.ts'
import { kindSchemas } from './kind-schemas.ts'
import { listParameterComponents } from './list-parameters.ts'
import { commonReferenceSchemas } from '../wire/reference-schemas.ts'
import { mergePatchSchemas } from '../wire/resource-fields.ts'
import { resourcePaths, resourceSchemas } from './resource-paths.ts'
import type { RegisteredKind } from '../../store/registry/kind.ts'

/** The parts of `openapi/base.yaml` that `composeOpenapi` extends. */
export interface BaseDocument extends JsonObject {
  readonly paths: JsonObject
  readonly components: JsonObject & {
    readonly parameters: JsonObject
    readonly schemas: JsonObject
  }
}

/** The additions of a capability to the document. */
export interface DocumentPart {
  /** The paths of its routes, if they follow from the kinds. */
  readonly paths?: (kinds: readonly RegisteredKind[]) => JsonObject
}

/** Composes the API's document: the base, the schemas and paths of all kinds, the paths of parts. */
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
  return {
    ...base,
    tags: [
      ...registry.kinds.map((kind) => ({ name: kind.kind })),
      { name: 'Resource' },
      { name: 'Webhook' },
      { name: 'Meta' },
    ],
    paths: {
      ...Object.fromEntries(paths),
      ...Object.assign({}, ...parts.map((part) => part.paths?.(registry.kinds))),
      ...resourcePaths(registry.kinds),
      ...base.paths,
    },
    components: {
      ...base.components,
      parameters: { ...base.components.parameters, ...listParameterComponents() },
      schemas: Object.assign(
        {},
        common,
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
