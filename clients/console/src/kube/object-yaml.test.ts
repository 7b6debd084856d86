import { expect, it } from 'vitest'
import { objectToYaml } from './object-yaml.ts'

it('writes objects in the usual order, without the owners of their fields', () => {
  const metadata = { name: 'a', managedFields: [{ manager: 'ci' }] }
  const text = objectToYaml({
    status: {},
    spec: { size: 3 },
    kind: 'Widget',
    apiVersion: 'v1',
    metadata,
  })
  expect(text).toBe(
    'apiVersion: v1\nkind: Widget\nmetadata:\n  name: a\nspec:\n  size: 3\nstatus: {}\n',
  )
})
