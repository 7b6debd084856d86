import semver from 'semver'

/** The state of a clone that decides if a version can be released. */
export interface ReleaseFacts {
  readonly version: string
  /** The version in package.json. */
  readonly current: string
  readonly tags: readonly string[]
  /** The lines of `git status --porcelain`. */
  readonly changes: readonly string[]
  /** The number of entries below [Unreleased] in the changelog. */
  readonly entries: number
  /** The addresses in package.json, which the packages repeat. */
  readonly homepage: string | null
  readonly repository: string | null
}

const HTTPS = /^(git\+)?https:\/\/[^/\s]+\/\S+$/

/** Everything that prevents a release, each with its remedy. */
export function releaseProblems(facts: ReleaseFacts): readonly string[] {
  return [
    ...versionProblems(facts),
    ...(facts.changes.length === 0
      ? []
      : [
          `the working tree has ${facts.changes.length} changes, such as "${facts.changes[0]}": commit or remove them`,
        ]),
    ...(facts.entries > 0
      ? []
      : ['[Unreleased] in CHANGELOG.md has no entries: describe the changes']),
    ...addressProblems(facts),
  ]
}

/** Packages must not be published without the addresses of their publisher. */
export function addressProblems({
  homepage,
  repository,
}: Pick<ReleaseFacts, 'homepage' | 'repository'>): readonly string[] {
  const problem = (field: string, value: string | null) =>
    `${field} in package.json is ${value === null ? 'not set' : `"${value}"`}: set it to an https URL of the publisher`
  return [
    ...(homepage !== null && URL.canParse(homepage) && homepage.startsWith('https:')
      ? []
      : [problem('homepage', homepage)]),
    ...(repository !== null && HTTPS.test(repository)
      ? []
      : [problem('repository.url', repository)]),
  ]
}

function versionProblems({ version, current, tags }: ReleaseFacts): readonly string[] {
  if (semver.valid(version) !== version) {
    return [`"${version}" is not a version, such as 0.2.0`]
  }
  const problems: string[] = []
  if (tags.includes(`v${version}`)) problems.push(`the tag v${version} exists`)
  const newest = [current, ...tags.flatMap(versionOfTag)].toSorted(semver.rcompare)[0] ?? current
  if (!semver.gt(version, newest)) problems.push(`${version} is not higher than ${newest}`)
  return problems
}

function versionOfTag(tag: string): readonly string[] {
  const version = semver.valid(tag.replace(/^v/, ''))
  return version === null ? [] : [version]
}
