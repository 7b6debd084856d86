import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { must } from '../../lib/assert.ts'
import { packageVersion } from '../../lib/package-version.ts'
import { VERSION_FILES } from './version-files.ts'

const RELEASE = {
  version: '7.8.9',
  previous: packageVersion(),
  homepage: 'https://flotilla.example.com',
  repository: 'git+https://git.example.com/fleet/flotilla.git',
}

const read = (file: string): Promise<string> =>
  readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')

async function edited(file: string): Promise<string> {
  return must(VERSION_FILES[file], file)(await read(file), RELEASE, file)
}

describe('the files with the version', () => {
  it.each(Object.keys(VERSION_FILES).filter((file) => !file.endsWith('pyproject.toml')))(
    '%s gets the new one',
    async (file) => {
      expect(await edited(file)).toContain('7.8.9')
      expect(() => VERSION_FILES[file]?.('', RELEASE, file)).toThrow()
    },
  )

  it('changes the lock file as npm writes it, without its dependencies', async () => {
    const before = JSON.parse(await read('package-lock.json'))
    const after = JSON.parse(await edited('package-lock.json'))
    for (const place of ['', 'clients/cli', 'clients/console', 'clients/typescript']) {
      expect(after.packages[place].version).toBe('7.8.9')
      after.packages[place].version = before.packages[place].version
    }
    expect({ ...after, version: before.version }).toEqual(before)
  })

  it('gives the packages the addresses of the publisher', async () => {
    expect(JSON.parse(await edited('clients/typescript/package.json'))).toMatchObject({
      homepage: RELEASE.homepage,
      repository: { type: 'git', url: RELEASE.repository, directory: 'clients/typescript' },
    })
    const urls =
      '[project.urls]\nHomepage = "https://flotilla.example.com"\n' +
      'Repository = "https://git.example.com/fleet/flotilla"\n\n[project.optional-dependencies]\n'
    expect(await edited('clients/python/pyproject.toml')).toContain(urls)
    expect(parse(await edited('deploy/helm/flotilla/Chart.yaml'))).toMatchObject({
      version: '7.8.9',
      appVersion: '7.8.9',
      home: 'https://flotilla.example.com',
      sources: ['https://git.example.com/fleet/flotilla'],
    })
  })

  it('replaces addresses of the version before', async () => {
    for (const file of ['clients/python/pyproject.toml', 'deploy/helm/flotilla/Chart.yaml']) {
      const edit = must(VERSION_FILES[file], file)
      const once = await edited(file)
      const again = { ...RELEASE, version: '7.9.0', previous: '7.8.9' }
      expect(edit(once, again, file)).toBe(once.replaceAll('7.8.9', '7.9.0'))
    }
  })
})
