import { type Bom, bomOf, type Component, packagesOf } from './bills-of-materials.ts'

/** The format of {@link ImageContent.packages} for `dpkg-query`. */
export const PACKAGE_FORMAT = '${Package}\\t${Version}\\t${Architecture}\\t${db:Status-Status}\\n'

/** The content of an image, as its files and programs describe it. */
export interface ImageContent {
  /** `/etc/os-release` */
  readonly system: string
  /** `dpkg-query --show` */
  readonly packages: string
  /** `node --version` */
  readonly node: string
  /** `node_modules/.package-lock.json`: the installed packages. */
  readonly installed: string
  /** npm's bill for the lock file, which also lists packages of other machines. */
  readonly locked: Bom
}

export interface ImageIdentity {
  readonly version: string
  /** The digest of its manifest. */
  readonly digest: string
  /** The timestamp of the bill. */
  readonly time: string
}

/** The bill of an image: its system, its Debian packages, Node, and Flotilla with its npm packages. */
export function imageBom(content: ImageContent, { version, digest, time }: ImageIdentity): Bom {
  const application = installedBom(
    bomOf(content.locked, `flotilla@${version}`, time),
    content.installed,
  )
  const system = systemOf(content.system)
  const node = content.node.trim().replace(/^v/, '')
  const runtime = referenced({
    type: 'application',
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
  })
  const packages = debianPackages(content.packages, system)
  const program = application.metadata.component
  const purl = `pkg:oci/flotilla@${encodeURIComponent(digest)}?tag=${version}`
  const component = referenced({ type: 'container', name: 'flotilla', version, purl })
  const parts = [system, runtime, ...packages]
  return {
    ...application,
    metadata: { ...application.metadata, component },
    components: [...parts, program, ...application.components],
    dependencies: [
      {
        ref: component['bom-ref'],
        dependsOn: [...parts, program].map((part) => part['bom-ref']),
      },
      ...parts.map((part) => ({ ref: part['bom-ref'] })),
      ...application.dependencies,
    ],
  }
}

/** Leaves out optional packages for other machines, which were not installed. */
function installedBom(bom: Bom, text: string): Bom {
  const kept = new Set([...packagesOf(text), bom.metadata.component['bom-ref']])
  return {
    ...bom,
    components: bom.components.filter((one) => kept.has(one['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map((one) => ({ ...one, dependsOn: (one.dependsOn ?? []).filter((ref) => kept.has(ref)) })),
  }
}

function systemOf(text: string): Component & { readonly version: string } {
  const value = (key: string) =>
    new RegExp(`^${key}="?([^"\n]*)"?$`, 'm').exec(text)?.[1] ?? 'unknown'
  const [name, version] = [value('ID'), value('VERSION_ID')]
  return { type: 'operating-system', name, version, 'bom-ref': `${name}-${version}` }
}

function debianPackages(
  text: string,
  { name: system, 'bom-ref': distribution }: Component,
): readonly Component[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(([, , , state]) => state === 'installed')
    .map(([name = '', version = '', architecture = '']) => {
      const id = `${encodeURIComponent(name)}@${encodeURIComponent(version)}`
      const qualifiers = `arch=${architecture}&distro=${distribution}`
      return referenced({
        type: 'library',
        name,
        version,
        purl: `pkg:deb/${system}/${id}?${qualifiers}`,
      })
    })
}

interface Referenced {
  readonly type: string
  readonly name: string
  readonly version: string
  readonly purl: string
}

function referenced(component: Referenced): Component {
  return { ...component, 'bom-ref': component.purl }
}
