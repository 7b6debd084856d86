import { expect, test } from 'vitest'
import { createRequestOf, EMPTY_TEXT, unknownFields } from './create-draft.ts'
import { parseYaml } from '../yaml/parse-yaml.ts'

test('creates a request from the fields of the text', () => {
  const value = { name: 'a', labels: null, spec: { size: 1 }, annotations: { x: 'y' } }
  expect(createRequestOf('Cluster', value)).toEqual({
    name: 'a',
    body: { kind: 'Cluster', spec: { size: 1 }, annotations: { x: 'y' } },
  })
})

test('starts with a text that needs only a name', () => {
  const { value } = parseYaml(EMPTY_TEXT)
  expect(createRequestOf('Cluster', value ?? {})).toEqual({
    name: '',
    body: { kind: 'Cluster', labels: {}, spec: {} },
  })
})

test('finds fields that the server would ignore', () => {
  expect(unknownFields({ name: 'a', specs: {}, spec: {} })).toEqual(['specs'])
})
