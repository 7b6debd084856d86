import { expect, test } from 'vitest'
import { COMMAND_BLOCKS, commandBlocksOf, WHOLE_PAGES } from './command-blocks.ts'
import { readPages } from './documentation-pages.ts'

test('each block with commands runs as a test, or states why not', async () => {
  const pages = (await readPages()).filter(({ name }) => !WHOLE_PAGES.includes(name))
  const found = pages.map(({ name, text }) => ({ name, blocks: commandBlocksOf(text) }))
  const withBlocks = found.filter(({ blocks }) => blocks.length > 0)
  expect(withBlocks.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(COMMAND_BLOCKS).toSorted(),
  )
  for (const { name, blocks } of withBlocks) {
    const proofs = COMMAND_BLOCKS[name] ?? []
    const starts = proofs.map((proof, index) =>
      blocks[index]?.startsWith(proof.starts) === true ? blocks[index] : proof.starts,
    )
    expect(blocks, name).toEqual(starts)
  }
})

test('each page with npx flotilla says where it works', async () => {
  // Elsewhere, npx runs the package of that name in the registry, which can be that of a stranger.
  const pages = (await readPages()).filter(({ text }) =>
    /^ *\$ (?:\S+=\S+ )?npx flotilla/m.test(text),
  )
  const silent = pages.filter(({ text }) => !/\bin (?:a|the) clone\b/i.test(text))
  expect(pages.length).toBeGreaterThan(3)
  expect(silent.map(({ name }) => name)).toEqual([])
})
