import { expect, it } from 'vitest'
import { fieldOfObject } from './field-of-object.ts'

it('R13: fields are compared as text; missing ones and objects are empty', () => {
  const object = { spec: { host: 'a', port: 80, isOpen: false, tags: ['x'] } }
  const values = ['host', 'port', 'isOpen', 'tags', 'missing', 'host.x', 'constructor']
  expect(values.map((name) => fieldOfObject(object, `spec.${name}`))).toEqual([
    'a',
    '80',
    'false',
    '',
    '',
    '',
    '',
  ])
})
