import { isJsonObject } from 'flotilla'
import { type NativeResource, requiredValue } from 'flotilla/planes'
import { AGE_COLUMN, NAME_COLUMN, nativeType, text, textColumn } from 'flotilla/planes/native'

/** The name of the resource for clients. */
export const GREETINGS_NAME = { group: 'sample.example.com', version: 'v1', plural: 'greetings' }

/** Greetings: the program's own resource. */
export const GREETINGS: NativeResource = {
  type: nativeType({
    ...GREETINGS_NAME,
    kind: 'Greeting',
    definitions: 'com.example.sample.v1',
    namespaced: true,
    description: 'A greeting for somebody.',
    properties: {
      spec: { type: 'object', properties: { name: text('Name to greet.') } },
      status: { type: 'object', properties: { message: text('Message of the controller.') } },
    },
    printerColumns: [NAME_COLUMN, textColumn('Message', '.status.message', 'Message.'), AGE_COLUMN],
    hasStatus: true,
    hasGeneration: true,
  }),
  strategy: {
    validate: ({ spec }) =>
      isJsonObject(spec) && typeof spec['name'] === 'string' && spec['name'] !== ''
        ? []
        : [requiredValue('spec.name')],
  },
}
