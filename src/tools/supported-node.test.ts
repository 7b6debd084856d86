import { readFile } from 'node:fs/promises'
import { subset } from 'semver'
import { describe, expect, it } from 'vitest'

type Check = (version: string, range: string) => boolean
const { isSupportedNode, isTooOld }: { isSupportedNode: Check; isTooOld: Check } = await import(
  new URL('supported-node.mjs', import.meta.url).href
)

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await readFile(new URL(`../../${file}`, import.meta.url), 'utf8'))
}

interface Entry {
  readonly engines?: { readonly node?: string }
}

const { engines } = await readJson<{ engines: { node: string } }>('package.json')

describe('supported Node versions', () => {
  it.each([
    ['20.18.3', false],
    ['20.19.0', true],
    ['20.20.2', true],
    ['21.7.3', false],
    ['22.12.0', false],
    ['22.13.0', true],
    ['22.21.1', true],
    ['23.11.0', false],
    ['24.0.0', true],
    ['100.0.0', true],
  ])('%s: %s', (version, expected) => {
    expect(isSupportedNode(version, engines.node)).toBe(expected)
  })

  it.each([
    ['18.20.4', true],
    ['20.18.3', true],
    ['21.7.3', false],
    ['22.12.0', false],
    ['23.11.0', false],
  ])('%s is too old: %s', (version, expected) => {
    expect(isTooOld(version, engines.node)).toBe(expected)
  })

  it('are supported by every package of the lock file, so that npm never warns EBADENGINE', async () => {
    const { packages } = await readJson<{ packages: Record<string, Entry> }>('package-lock.json')
    const narrower = Object.entries(packages)
      .map(([place, entry]) => ({ place, node: entry.engines?.node ?? '*' }))
      .filter(({ node }) => !subset(engines.node, node))
    expect(narrower).toEqual([])
  })
})
