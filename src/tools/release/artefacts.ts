import { mkdir, readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import { describeNpmPackages } from './bills-of-materials.ts'
import { archiveChart } from './chart-archive.ts'
import { writeChecksums } from './checksums.ts'
import { buildImage } from './image-layout.ts'
import { packNpmPackages } from './npm-packages.ts'
import { buildPythonPackages, describeWheel } from './python-packages.ts'
import { createStage } from './source-stage.ts'

const FOLDERS = ['npm', 'python', 'helm', 'image', 'sbom'] as const

export interface ArtefactOptions {
  readonly version: string
  /** The base of the image, or null for that of the Dockerfile. */
  readonly base: string | null
  readonly print: (line: string) => void
}

/** Builds the artefacts of a tag into `release/<version>`, from its committed files only. */
export async function buildArtefacts(root: string, options: ArtefactOptions): Promise<void> {
  const { version, base, print } = options
  const out = path.join(root, 'release', version)
  await rm(out, { recursive: true, force: true })
  for (const name of FOLDERS) await mkdir(path.join(out, name), { recursive: true })
  const folder = (name: (typeof FOLDERS)[number]) => path.join(out, name)
  print(`building the files of v${version}`)
  await using stage = await createStage(root, version)
  await packNpmPackages(stage, folder('npm'))
  print('packed the npm packages')
  const tools = await buildPythonPackages(stage, folder('python'))
  print('built the wheel and the source distribution')
  await archiveChart(stage, folder('helm'))
  print('archived the chart')
  await describeNpmPackages(stage, folder('sbom'))
  const wheel = (await readdir(folder('python'))).find((name) => name.endsWith('.whl')) ?? ''
  const bill = (name: string) => path.join(folder('sbom'), `${name}-${version}.cdx.json`)
  await describeWheel(stage, {
    python: tools,
    wheel: path.join(folder('python'), wheel),
    out: bill('flotilla-sdk'),
  })
  print('wrote the bills of materials')
  const image = { out: folder('image'), bill: bill('flotilla-image'), base }
  const reason = await buildImage(stage, image)
  if (reason === null) print('built the image as an OCI layout, with its bill of materials')
  else {
    await rm(folder('image'), { recursive: true })
    print(`built no image: ${reason}`)
  }
  print(`release/${version}/SHA256SUMS has ${await writeChecksums(out)} files`)
}
