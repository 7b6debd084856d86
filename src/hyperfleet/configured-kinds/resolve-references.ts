import path from 'node:path'
import { errorMessage } from '../../lib/error-message.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'

/** The schema's virtual file, beside the file that contains it: relative references start there. */
const NAME = 'flotilla-spec-schema.json'

interface Source {
  /** The document that references of the form `#/...` point into. */
  readonly root: JsonObject
  /** The schema's path in that document: `#/components/schemas/ChannelSpec`. */
  readonly pointer: string
  readonly folder: string
}

/** The schema with every `$ref` replaced by its target. Throws an Error that names a missing target. */
export async function resolveReferences({ root, pointer, folder }: Source): Promise<JsonObject> {
  const virtual = path.join(path.resolve(folder), NAME)
  const document = {
    openapi: '3.1.0' as const,
    info: { title: 'A schema', version: '1' },
    paths: {},
    components: { schemas: { Spec: { $ref: `${NAME}${pointer}` } } },
  }
  try {
    // Imported only if needed, because the package is large.
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
    if (!isJsonObject(schema))
      throw new Error('a reference points to a value that is not an object')
    return schema
  } catch (error) {
    throw new Error(errorMessage(error).replaceAll(virtual, ''), { cause: error })
  }
}
