// npm run release -- <version> [--dry-run | --artefacts] [--base <image>]: docs/releasing.md
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildArtefacts } from './artefacts.ts'
import { releaseNotes, withRelease } from './changelog.ts'
import { readFacts } from './read-facts.ts'
import { addressProblems, type ReleaseFacts, releaseProblems } from './release-problems.ts'
import { run } from './run.ts'
import { type Release, VERSION_FILES } from './version-files.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const CHANGELOG = 'CHANGELOG.md'
const USAGE = 'npm run release -- <version> [--dry-run | --artefacts] [--base <image>]'

/** Commits and tags a version in this clone, and builds its artefacts. Publishes and pushes nothing. */
async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      artefacts: { type: 'boolean', default: false },
      base: { type: 'string' },
    },
  })
  const [version, ...more] = positionals
  if (version === undefined || more.length > 0) throw new Error(`usage: ${USAGE}`)
  const facts = await readFacts(ROOT, version)
  refuse(values.artefacts ? rebuildProblems(facts) : releaseProblems(facts))
  const release = releaseOf(facts)
  if (values['dry-run']) {
    for (const step of steps(release, values.artefacts)) console.log(step)
    return
  }
  if (!values.artefacts) await tagRelease(release)
  await buildArtefacts(ROOT, { version, base: values.base ?? null, print: console.log })
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** Artefacts come from the tag, so the state of the working tree does not matter. */
function rebuildProblems(facts: ReleaseFacts): readonly string[] {
  const missing = facts.tags.includes(`v${facts.version}`) ? [] : [`no tag v${facts.version}`]
  return [...missing, ...addressProblems(facts)]
}

function releaseOf({ version, current, homepage, repository }: ReleaseFacts): Release {
  return { version, previous: current, homepage: homepage ?? '', repository: repository ?? '' }
}

function steps({ version, previous }: Release, artefactsOnly: boolean): readonly string[] {
  const tagging = [
    `date the entries of [Unreleased] in ${CHANGELOG} as ${version}`,
    ...Object.keys(VERSION_FILES).map((file) => `write ${version} for ${previous} to ${file}`),
    `commit "Release ${version}"`,
    `tag v${version} with these entries, in this clone only`,
  ]
  return [
    ...(artefactsOnly ? [] : tagging),
    `check out and build v${version} in a temporary folder`,
    `pack flotilla and @flotilla/client to release/${version}/npm`,
    `build flotilla-sdk as a wheel and a source distribution to release/${version}/python`,
    `archive the chart to release/${version}/helm`,
    `write bills of materials to release/${version}/sbom`,
    `build the image with buildah to release/${version}/image, with its bill of materials`,
    `write release/${version}/SHA256SUMS`,
  ]
}

async function tagRelease(release: Release): Promise<void> {
  const { version } = release
  const day = new Date().toISOString().slice(0, 10)
  const changelog = withRelease(await readFile(path.join(ROOT, CHANGELOG), 'utf8'), version, day)
  const texts = new Map([[CHANGELOG, changelog]])
  for (const [file, edit] of Object.entries(VERSION_FILES)) {
    texts.set(file, edit(await readFile(path.join(ROOT, file), 'utf8'), release, file))
  }
  // All edits succeed before the first file changes.
  for (const [file, text] of texts) await writeFile(path.join(ROOT, file), text)
  const formatter = path.join(ROOT, 'node_modules/.bin/oxfmt')
  await run(formatter, [...texts.keys()], { cwd: ROOT })
  const git = (...args: readonly string[]) => run('git', args, { cwd: ROOT })
  await git('commit', '--quiet', '--message', `Release ${version}`, '--', ...texts.keys())
  // Headings of the entries begin with #.
  const message = `Flotilla ${version}\n\n${releaseNotes(changelog, version)}\n`
  await git('tag', '--annotate', '--cleanup=whitespace', '--message', message, `v${version}`)
  console.log(`committed and tagged v${version}`)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
