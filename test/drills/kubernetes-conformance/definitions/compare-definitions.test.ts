import { expect, it } from 'vitest'
import type { Definition } from '../../kubernetes-clients/definitions/read-definitions.ts'
import { compareDefinitions } from './compare-definitions.ts'

function definition(name: string, rules: number): Definition {
  const validations = Array.from({ length: rules }, () => ({ rule: 'true' }))
  const schema = { properties: { spec: { items: { 'x-kubernetes-validations': validations } } } }
  const versions = [
    { name: 'v1', served: true, schema },
    { name: 'v1alpha1', served: false },
  ]
  return {
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec: { group: 'example.com', names: { plural: name }, versions },
  }
}

const DEFINITIONS = [definition('a', 2), definition('b', 3), definition('c', 0)]

it('counts definitions, served versions, rules', () => {
  const none = new Map<string, string>()
  expect(compareDefinitions(DEFINITIONS, { planes: none, kubernetes: none, projects: 2 })).toEqual({
    passed: {
      'definitions of 2 projects': { applicable: 3, planes: 3, kubernetes: 3 },
      'their served versions': { applicable: 3, planes: 3, kubernetes: 3 },
      'their CEL rules': { applicable: 5, planes: 5, kubernetes: 5 },
    },
    others: {},
    errors: [],
  })
})

it('lists definitions that only one server accepts', () => {
  const planes = new Map([
    ['b', 'no rule'],
    ['c', 'no schema'],
  ])
  const kubernetes = new Map([
    ['a', 'no name'],
    ['c', 'no schema'],
  ])
  const { passed, errors } = compareDefinitions(DEFINITIONS, { planes, kubernetes, projects: 2 })
  expect(passed['their CEL rules']).toEqual({ applicable: 3, planes: 0, kubernetes: 3 })
  expect(errors).toEqual(['the plane rejects b: no rule', 'kube-apiserver rejects a: no name'])
})
