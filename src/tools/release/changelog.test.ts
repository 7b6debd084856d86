import { describe, expect, it } from 'vitest'
import { releaseNotes, unreleasedEntries, withRelease } from './changelog.ts'

const CHANGELOG = `# Changelog

## [Unreleased]

### Added

- One.
- Two ([docs](a.md)).

## [0.1.0] - 2026-01-01

- Three.
`

describe('the changelog', () => {
  it('counts the entries that are not released', () => {
    expect(unreleasedEntries(CHANGELOG)).toBe(2)
    expect(unreleasedEntries(withRelease(CHANGELOG, '0.2.0', '2026-02-03'))).toBe(0)
  })

  it('dates the entries, and leaves the others as they are', () => {
    const released = withRelease(CHANGELOG, '0.2.0', '2026-02-03')
    const start = '# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n'
    expect(released).toMatch(start)
    expect(released).toContain('- Two ([docs](a.md)).\n\n## [0.1.0] - 2026-01-01\n')
    expect(releaseNotes(released, '0.2.0')).toBe('### Added\n\n- One.\n- Two ([docs](a.md)).')
    expect(releaseNotes(released, '0.1.0')).toBe('- Three.')
  })

  it('needs its sections', () => {
    expect(() => withRelease('# Changelog\n', '0.2.0', '2026-02-03')).toThrow('## [Unreleased]')
    expect(() => releaseNotes(CHANGELOG, '0.3.0')).toThrow('no line "## [0.3.0]"')
  })
})
