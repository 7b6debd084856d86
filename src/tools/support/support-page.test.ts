import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { rowsOf } from './support-page.ts'

const read = (file: string): Promise<string> =>
  readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')

describe('the table of supported programs', () => {
  it('has the versions of the files that CI runs', async () => {
    const rows = await rowsOf(async (file) => {
      const text = await read(file)
      if (file === '.ci/run') return text.replace(' kubectl-debian', '')
      return text
        .replaceAll("['20.19', '22', '24']", "['21', '25']")
        .replace('postgresql-15', 'postgresql-16')
    })
    expect(rows.map(([program]) => program)).toEqual([
      'Program',
      'Node',
      'PostgreSQL',
      'kubectl',
      'HyperFleet API',
    ])
    expect(rows[1]?.[1]).toBe('21, 25')
    expect(rows[2]?.[1]).toMatch(/^16 \(Debian\), \d+ \(embedded\)$/)
    expect(rows[3]?.[1]).toBe('a current one')
  })

  it('fails if CI no longer names a version', async () => {
    const withoutPostgres = async (file: string) =>
      (await read(file)).replaceAll('apt_install postgresql', 'apt_install mysql')
    await expect(rowsOf(withoutPostgres)).rejects.toThrow('a version in .ci/install-programs')
  })
})
