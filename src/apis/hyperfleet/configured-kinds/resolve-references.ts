import path from 'node:path'
import { errorMessage } from '../../../lib/error-message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

/** Name of the schema as a file, beside the file that it is from: what it refers to is found from there. */
const NAME = 'flotilla-spec-schema.json'

interface Source {
  /** All that the schema may refer to by `#/...`. */
  readonly root: JsonObject
  /** Where in it the schema is: `#/components/schemas/ChannelSpec`. */
  readonly pointer: string
  readonly folder: string
}

/** The schema with what it refers to in place of `$ref`; throws an Error that says what is not found. */
export async function resolveReferences({ root, pointer, folder }: Source): Promise<JsonObject> {
  const virtual = path.join(path.resolve(folder), NAME)
  const document = {
    openapi: '3.1.0' as const,
    info: { title: 'A schema', version: '1' },
    paths: {},
    components: { schemas: { Spec: { $ref: `${NAME}${pointer}` } } },
  }
  try {
    // Loaded only where it is needed: it is not small.
    const { default: SwaggerParser } = await import('@apidevtools/swagger-parser')
    const resolved = await SwaggerParser.dereference(`${virtual}.openapi`, document, {
      dereference: { circular: false },
      resolve: {
        http: false,
        schema: {
          order: 1,
          canRead: ({ url }: { url: string }) => url.endsWith(`/${NAME}`),
          read: () => JSON.stringify(root),
        },
      },
    })
    const schema: JsonValue = JSON.parse(JSON.stringify(resolved)).components.schemas.Spec
    if (!isJsonObject(schema)) throw new Error('it refers to what is not an object')
    return schema
  } catch (error) {
    throw new Error(errorMessage(error).replaceAll(virtual, ''), { cause: error })
  }
}
