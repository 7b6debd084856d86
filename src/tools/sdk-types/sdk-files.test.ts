import { expect, it } from 'vitest'
import { sdkFiles } from './sdk-files.ts'

const DOCUMENT = {
  info: { title: 'Harbors' },
  components: {
    schemas: {
      Ship: {
        type: 'object',
        description: 'A ship.',
        required: ['name', 'state'],
        properties: {
          name: {
            type: 'string',
            description:
              'Its name, which is unique among all of the ships of a harbor and is never used again. Two harbors may have ships of one name.',
          },
          state: { enum: ['docked', 'at-sea', null] },
          crew: { type: ['array', 'null'], items: { $ref: '#/components/schemas/Sailor' } },
          'x-flags': { type: 'object', additionalProperties: { type: 'boolean' } },
        },
      },
      Sailor: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
      Cargo: {
        allOf: [
          { $ref: '#/components/schemas/Ship' },
          { type: 'object', additionalProperties: true, properties: { tons: { type: 'number' } } },
        ],
      },
    },
  },
}

it('emits a TypeScript module with every schema, sorted by name', () => {
  const [[file, text] = []] = sdkFiles({ harbors: DOCUMENT })
  expect(file).toBe('clients/typescript/src/generated/harbors.ts')
  expect(text).toBe(`// Generated from the OpenAPI document "Harbors" by \`npm run openapi\`.

export type Cargo = Ship & {
  readonly tons?: number | undefined
  readonly [key: string]: unknown
}

export type Sailor = string | number

/** A ship. */
export interface Ship {
  /**
   * Its name, which is unique among all of the ships of a harbor and is never used again. Two
   * harbors may have ships of one name.
   */
  readonly name: string
  readonly state: 'docked' | 'at-sea' | null
  readonly crew?: (readonly Sailor[]) | null | undefined
  readonly 'x-flags'?: { readonly [key: string]: boolean } | undefined
}
`)
})
