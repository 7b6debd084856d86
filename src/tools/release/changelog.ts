const UNRELEASED = '## [Unreleased]'
const SECTION = /^## \[/m

/** The text between a heading of the second level and the next one. */
function sectionAfter(changelog: string, heading: string): string {
  const start = changelog.indexOf(`${heading}\n`)
  if (start === -1) throw new Error(`CHANGELOG.md has no line "${heading}"`)
  const rest = changelog.slice(start + heading.length + 1)
  const end = rest.search(SECTION)
  return (end === -1 ? rest : rest.slice(0, end)).trim()
}

/** The number of entries that the next release contains. */
export function unreleasedEntries(changelog: string): number {
  return sectionAfter(changelog, UNRELEASED)
    .split('\n')
    .filter((line) => line.startsWith('- ')).length
}

/** The entries of a released version. */
export function releaseNotes(changelog: string, version: string): string {
  const start = `## [${version}]`
  const heading = changelog.split('\n').find((line) => line.startsWith(start))
  return sectionAfter(changelog, heading ?? start)
}

/** Gives the entries of [Unreleased] a version and a date, and leaves an empty [Unreleased]. */
export function withRelease(changelog: string, version: string, date: string): string {
  sectionAfter(changelog, UNRELEASED)
  return changelog.replace(`${UNRELEASED}\n`, `${UNRELEASED}\n\n## [${version}] - ${date}\n`)
}
