import { must } from '../../lib/assert.ts'
import { mapValues } from '../../lib/json/json.ts'

/** A schema, or its part, with the keywords that the comparison knows by name. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly [keyword: string]: unknown
}

/** Schemas by media type. */
export type Content = Readonly<Record<string, Schema>>

/** The parts of an operation that clients depend on. */
export interface PublishedOperation {
  readonly operationId: string
  /** Needs no token. */
  readonly public: boolean
  /** By location and name, such as `query page`. */
  readonly parameters: Readonly<
    Record<string, { readonly required: boolean; readonly schema: Schema }>
  >
  readonly body?: { readonly required: boolean; readonly content: Content }
  /** By status, or `default`. */
  readonly responses: Readonly<Record<string, PublishedResponse>>
}

interface PublishedResponse {
  readonly headers: readonly string[]
  readonly content: Content
}

/** An OpenAPI document reduced to the parts that clients of a published version depend on. */
export interface Manifest {
  readonly servers: readonly string[]
  /** By method and path, such as `GET /clusters`. */
  readonly operations: Readonly<Record<string, PublishedOperation>>
  readonly schemas: Readonly<Record<string, Schema>>
}

/** The parts of an OpenAPI document that a manifest is built from. */
export interface OpenapiDocument {
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>> & {
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

interface Reference {
  readonly $ref?: string
}

interface Operation {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters?: readonly (Parameter & Reference)[]
  readonly requestBody?: { readonly required?: boolean; readonly content: MediaTypes }
  readonly responses: Readonly<Record<string, Response & Reference>>
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly schema: Schema
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: MediaTypes
}

type MediaTypes = Readonly<Record<string, { readonly schema: Schema }>>

/** Keywords that document a schema without changing its meaning. */
const DOCUMENTATION = new Set(['description', 'title', 'example', 'examples', 'x-message'])

/** Extracts the manifest of an OpenAPI document. */
export function manifestOf(document: OpenapiDocument): Manifest {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      return [`${method.toUpperCase()} ${path}`, operationOf(document, operation)] as const
    }),
  )
  return {
    servers: document.servers.map(({ url }) => url),
    operations: Object.fromEntries(operations),
    schemas: mapValues(document.components.schemas, undocumented),
  }
}

function operationOf(document: OpenapiDocument, operation: Operation): PublishedOperation {
  const { operationId, security, parameters = [], requestBody, responses } = operation
  const byName = parameters
    .map((parameter) => resolve<Parameter>(document, parameter))
    .map(({ name, in: place, required = false, schema }) => {
      return [`${place} ${name}`, { required, schema: undocumented(schema) }] as const
    })
  return {
    operationId,
    public: security?.length === 0,
    parameters: Object.fromEntries(byName),
    ...(requestBody && {
      body: { required: requestBody.required ?? false, content: contentOf(requestBody.content) },
    }),
    responses: mapValues(responses, (response) => {
      const { headers = {}, content = {} } = resolve<Response>(document, response)
      return { headers: Object.keys(headers), content: contentOf(content) }
    }),
  }
}

function contentOf(types: MediaTypes): Content {
  return mapValues(types, ({ schema }) => undocumented(schema))
}

/** Resolves a reference to a component; returns any other value unchanged. */
function resolve<Component extends object>(
  document: OpenapiDocument,
  value: Component & Reference,
): Component {
  if (value.$ref === undefined) return value
  const [, , section = '', name = ''] = value.$ref.split('/')
  const component = must(document.components[section]?.[name], value.$ref)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the section determines the type
  return component as Component
}

/**
 * The schema without the keywords that only document it. Names of properties are no keywords, so a
 * property `title` stays.
 */
function undocumented(schema: Schema): Schema {
  const kept = Object.entries(schema).filter(([keyword]) => !DOCUMENTATION.has(keyword))
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'properties' && isSchema(value)
        ? mapValues(value, undocumentedIn)
        : undocumentedIn(value),
    ]),
  )
}

function undocumentedIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(undocumentedIn)
  return isSchema(value) ? undocumented(value) : value
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
