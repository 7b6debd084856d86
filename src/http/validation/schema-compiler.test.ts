import { expect, test } from 'vitest'
import { schemaCompiler } from './schema-compiler.ts'

const documentOf = (type: string) => ({ components: { schemas: { Size: { type } } } })

test('equal documents share a compiler and its validators, and others do not', () => {
  const [first, equal, other] = ['string', 'string', 'number'].map((type) => {
    return schemaCompiler(documentOf(type)).compileAt(['components', 'schemas', 'Size'])
  })
  expect(first).toBe(equal)
  expect(first?.('large')).toBe(true)
  expect(other?.('large')).toBe(false)
})
