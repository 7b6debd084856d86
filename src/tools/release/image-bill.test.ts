import { expect, it } from 'vitest'
import { type ImageContent, imageBom } from './image-bill.ts'

const IDENTITY = {
  version: '0.2.0',
  digest: 'sha256:abc',
  time: '2026-01-01T00:00:00.000Z',
}
const CONTENT: ImageContent = {
  system: 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n',
  packages:
    'libstdc++6\t12.2.0-14\tamd64\tinstalled\n' +
    'mount\t2.38.1-5\tamd64\tdeinstall\n' +
    'passwd\t1:4.13\tamd64\tinstalled\n',
  node: 'v22.23.3\n',
  installed: JSON.stringify({
    packages: {
      'node_modules/pg': { version: '8.0.0' },
      'clients/typescript': { name: '@flotilla/client', version: '0.2.0' },
    },
  }),
  locked: {
    bomFormat: 'CycloneDX',
    metadata: { component: { 'bom-ref': 'flotilla@0.2.0', name: 'app' } },
    components: ['pg@8.0.0', 'for-windows@1.0.0', '@flotilla/client@0.2.0'].map((ref) => ({
      'bom-ref': ref,
      name: ref,
    })),
    dependencies: [
      { ref: 'flotilla@0.2.0', dependsOn: ['pg@8.0.0', 'for-windows@1.0.0'] },
      { ref: 'pg@8.0.0' },
      { ref: 'for-windows@1.0.0' },
      { ref: '@flotilla/client@0.2.0' },
    ],
  },
}

it('lists the system, its packages, Node and the installed packages of npm', () => {
  const bom = imageBom(CONTENT, IDENTITY)
  expect(bom['bomFormat']).toBe('CycloneDX')
  expect(bom.metadata).toEqual({
    timestamp: IDENTITY.time,
    component: {
      type: 'container',
      name: 'flotilla',
      version: '0.2.0',
      purl: 'pkg:oci/flotilla@sha256%3Aabc?tag=0.2.0',
      'bom-ref': 'pkg:oci/flotilla@sha256%3Aabc?tag=0.2.0',
    },
  })
  expect(bom.components.map(({ 'bom-ref': ref }) => ref)).toEqual([
    'debian-12',
    'pkg:generic/node@22.23.3',
    'pkg:deb/debian/libstdc%2B%2B6@12.2.0-14?arch=amd64&distro=debian-12',
    'pkg:deb/debian/passwd@1%3A4.13?arch=amd64&distro=debian-12',
    'flotilla@0.2.0',
    'pg@8.0.0',
    '@flotilla/client@0.2.0',
  ])
})

it('has a dependency for each component, and one of the image on each part', () => {
  const { components, dependencies, metadata } = imageBom(CONTENT, IDENTITY)
  const [image, ...others] = dependencies
  expect(image?.ref).toBe(metadata.component['bom-ref'])
  expect(image?.dependsOn).toEqual(components.slice(0, 5).map((one) => one['bom-ref']))
  expect(others.map(({ ref }) => ref)).toEqual(components.map((one) => one['bom-ref']))
  expect(others.find(({ ref }) => ref === 'flotilla@0.2.0')?.dependsOn).toEqual(['pg@8.0.0'])
})
