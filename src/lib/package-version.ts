import { readFileSync } from 'node:fs'

/** The version in package.json. */
export const packageVersion = (): string => manifestText('version') ?? 'unknown'

/** The commit of the package, which the build of the image adds to package.json; null without it. */
export const packageRevision = (): string | null => manifestText('gitHead')

function manifestText(name: string): string | null {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const manifest: unknown = JSON.parse(text)
  if (typeof manifest !== 'object' || manifest === null) return null
  const value: unknown = Object.entries(manifest).find(([key]) => key === name)?.[1]
  return typeof value === 'string' && value !== '' ? value : null
}
