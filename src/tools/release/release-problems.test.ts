import { describe, expect, it } from 'vitest'
import { type ReleaseFacts, releaseProblems } from './release-problems.ts'

const FACTS: ReleaseFacts = {
  version: '0.2.0',
  current: '0.1.0',
  tags: ['v0.1.0', 'other'],
  changes: [],
  entries: 3,
  homepage: 'https://flotilla.example.com',
  repository: 'git+https://git.example.com/fleet/flotilla.git',
}

describe('a release', () => {
  it('has no problems with a clean tree, a higher version, entries and addresses', () => {
    expect(releaseProblems(FACTS)).toEqual([])
    expect(releaseProblems({ ...FACTS, version: '0.2.0-rc.1' })).toEqual([])
    expect(releaseProblems({ ...FACTS, repository: 'https://git.example.com/flotilla' })).toEqual(
      [],
    )
  })

  it.each<[string, Partial<ReleaseFacts>, string]>([
    ['a changed file', { changes: [' M README.md'] }, '1 changes, such as " M README.md"'],
    ['an existing tag', { tags: ['v0.2.0'] }, 'the tag v0.2.0 exists'],
    ['the current version', { version: '0.1.0', tags: [] }, '0.1.0 is not higher than 0.1.0'],
    ['a lower version than a tag', { tags: ['v0.10.0'] }, '0.2.0 is not higher than 0.10.0'],
    ['a pre-release of the current version', { version: '0.1.0-rc.1' }, 'is not higher than 0.1.0'],
    ['a version with a prefix', { version: 'v0.2.0' }, '"v0.2.0" is not a version'],
    ['a word as version', { version: 'next' }, '"next" is not a version'],
    ['an empty changelog', { entries: 0 }, '[Unreleased] in CHANGELOG.md has no entries'],
    ['no homepage', { homepage: null }, 'homepage in package.json is not set'],
    ['no repository', { repository: null }, 'repository.url in package.json is not set'],
    ['a short form of a repository', { repository: 'fleet/flotilla' }, 'is "fleet/flotilla"'],
    ['a homepage without TLS', { homepage: 'http://a.example' }, 'is "http://a.example"'],
  ])('is refused with %s', (_, change, problem) => {
    expect(releaseProblems({ ...FACTS, ...change }).join()).toContain(problem)
  })

  it('names all problems together', () => {
    const facts = { ...FACTS, version: '0.1.0', entries: 0, homepage: null, changes: ['?? a'] }
    expect(releaseProblems(facts)).toHaveLength(5)
  })
})
