import path from 'node:path'

/** The version that files get, and the addresses that packages repeat. */
export interface Release {
  readonly version: string
  readonly previous: string
  readonly homepage: string
  readonly repository: string
}

type Edit = (text: string, release: Release, file: string) => string

/** The files that contain the version, with the way to write a new one. */
export const VERSION_FILES: Readonly<Record<string, Edit>> = {
  'package.json': inManifest,
  'package-lock.json': inLockFile,
  'clients/cli/package.json': inManifest,
  'clients/console/package.json': inManifest,
  'clients/typescript/package.json': (text, release, file) =>
    withAddresses(inManifest(text, release, file), release, file),
  'clients/typescript/README.md': inNames,
  'clients/python/src/flotilla/version.py': (text, release, file) =>
    replaced(text, `"${release.previous}"`, `"${release.version}"`, file),
  'clients/python/pyproject.toml': withUrls,
  'deploy/helm/flotilla/Chart.yaml': inChart,
  'deploy/kubernetes/flotilla.yaml': (text, release, file) =>
    inNames(
      replaced(text, `version: "${release.previous}"`, `version: "${release.version}"`, file),
      release,
      file,
    ),
  'docs/build-a-control-plane.md': inNames,
  'docs/deploy.md': inNames,
}

/** Replaces every occurrence, of which there must be one. */
// oxlint-disable-next-line max-params -- those of `replaceAll`, with the file for the error
function replaced(text: string, from: string, to: string, file: string): string {
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
  return text.replaceAll(from, to)
}

function inManifest(text: string, { version, previous }: Release, file: string): string {
  return replaced(text, `"version": "${previous}",\n`, `"version": "${version}",\n`, file)
}

/** The names of tarballs and images. */
function inNames(text: string, { version, previous }: Release, file: string): string {
  const names = /\b(flotilla(?:-client)?[-:])(\d+\.\d+\.\d+(?:-[0-9a-z.]+)?)(?=\.tgz|[\s"`])/g
  const found = text.replaceAll(names, (all, name: string, old: string) =>
    old === previous ? name + version : all,
  )
  if (found === text) throw new Error(`${file} names no package or image of ${previous}`)
  return found
}

/** npm writes the versions of this package and of its workspaces to the lock file. */
function inLockFile(text: string, { version }: Release): string {
  const lock: {
    version: string
    readonly packages: Record<string, { version?: string; readonly link?: boolean }>
  } = JSON.parse(text)
  lock.version = version
  for (const [place, entry] of Object.entries(lock.packages)) {
    if (!place.includes('node_modules')) entry.version = version
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

function withAddresses(text: string, { homepage, repository }: Release, file: string): string {
  const { homepage: _, repository: __, ...manifest } = JSON.parse(text)
  const directory = path.dirname(file)
  const addresses = { homepage, repository: { type: 'git', url: repository, directory } }
  return `${JSON.stringify({ ...manifest, ...addresses }, null, 2)}\n`
}

/** The address of the source without the prefix of npm. */
export function sourceUrl(repository: string): string {
  return repository.replace(/^git\+/, '').replace(/\.git$/, '')
}

function withUrls(text: string, { homepage, repository }: Release, file: string): string {
  const rest = text.replace(/^\[project\.urls\]\n(?:.+\n)*\n/m, '')
  const urls = `[project.urls]\nHomepage = "${homepage}"\nRepository = "${sourceUrl(repository)}"\n\n`
  const next = '[project.optional-dependencies]\n'
  return replaced(rest, next, urls + next, file)
}

function inChart(text: string, { version, homepage, repository, previous }: Release, file: string) {
  const lines = replaced(text, `ersion: ${previous}\n`, `ersion: ${version}\n`, file)
    .replace(/^home: .*\n/m, '')
    .replace(/^sources:\n(?: .*\n)*/m, '')
  return `${lines}home: ${homepage}\nsources:\n  - ${sourceUrl(repository)}\n`
}
