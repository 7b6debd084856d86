import { expect, it } from 'vitest'
import { groupKinds } from './group-kinds.ts'

const kind = (group: string, name: string, shortNames: readonly string[] = []) => ({
  group,
  version: 'v1',
  kind: name,
  plural: `${name.toLowerCase()}s`,
  isNamespaced: true,
  verbs: ['list'],
  shortNames,
})
const KINDS = [kind('', 'ConfigMap', ['cm']), kind('', 'Secret'), kind('example.com', 'Widget')]

it('groups all kinds without a text', () => {
  expect(groupKinds(KINDS, '').map(({ group, kinds }) => [group, kinds.length])).toEqual([
    ['', 2],
    ['example.com', 1],
  ])
})

it('finds kinds by name, short name and group', () => {
  const found = (text: string) =>
    groupKinds(KINDS, text).flatMap(({ kinds }) => kinds.map((one) => one.kind))
  expect(found('secret')).toEqual(['Secret'])
  expect(found('CM')).toEqual(['ConfigMap'])
  expect(found('example')).toEqual(['Widget'])
  expect(found('nothing')).toEqual([])
})
