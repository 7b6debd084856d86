import { expect, it } from 'vitest'
import { type Bom, bomOf } from './bills-of-materials.ts'

const component = (ref: string, mark: string | null = null) => ({
  'bom-ref': ref,
  name: 'folder',
  properties: mark === null ? [] : [{ name: `cdx:npm:package:${mark}`, value: 'true' }],
})

const BOM: Bom = {
  serialNumber: 'urn:uuid:random',
  metadata: { timestamp: 'now', component: component('flotilla@0.2.0'), tools: [] },
  components: [
    component('@flotilla/client@0.2.0'),
    component('@flotilla/cli@0.2.0', 'private'),
    component('typescript@7.0.2', 'development'),
    component('pg@8.0.0'),
  ],
  dependencies: [
    { ref: 'flotilla@0.2.0', dependsOn: ['pg@8.0.0', '@flotilla/cli@0.2.0'] },
    { ref: '@flotilla/cli@0.2.0', dependsOn: [] },
    { ref: 'pg@8.0.0' },
  ],
}

it('describes what a package installs, without random numbers', () => {
  const bom = bomOf(BOM, '@flotilla/client@0.2.0', '2026-01-01T00:00:00.000Z')
  expect(bom).not.toHaveProperty('serialNumber')
  expect(bom.metadata).toMatchObject({ timestamp: '2026-01-01T00:00:00.000Z', tools: [] })
  expect(bom.metadata.component.name).toBe('@flotilla/client')
  expect(bom.components.map(({ name }) => name)).toEqual(['pg'])
})

it('lists the dependencies between the listed components', () => {
  const { components, dependencies } = bomOf(BOM, 'flotilla@0.2.0', '2026-01-01T00:00:00.000Z')
  expect(components.map(({ name }) => name)).toEqual(['@flotilla/client', 'pg'])
  expect(dependencies).toEqual([
    { ref: 'flotilla@0.2.0', dependsOn: ['pg@8.0.0'] },
    { ref: 'pg@8.0.0', dependsOn: [] },
  ])
})

it('needs the package', () => {
  expect(() => bomOf(BOM, 'flotilla@0.3.0', '')).toThrow('does not contain flotilla@0.3.0')
})
