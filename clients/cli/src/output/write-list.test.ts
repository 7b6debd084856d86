import { expect, test } from 'vitest'
import { objectText } from './object-text.ts'
import { writeList } from './write-list.ts'

const ITEMS = [
  { id: 'a', labels: {} },
  { id: 'b', spec: { text: '  ]\n}\n[]', list: [1, []] } },
  'c',
]

async function* pagesOf(...pages: readonly (readonly unknown[])[]) {
  for (const items of pages) yield { items }
}

test.each(['json', 'yaml'] as const)('%s in pages is the text of the whole list', async (name) => {
  for (const pages of [[], [[]], [ITEMS], [ITEMS.slice(0, 1), [], ITEMS.slice(1)]]) {
    const texts: string[] = []
    const list = { kind: 'ClusterList', pages: pagesOf(...pages) }
    await writeList({ name }, (text) => texts.push(text), list)
    const whole = await objectText({ name }, { kind: 'ClusterList', items: pages.flat() })
    expect(texts.join('')).toBe(whole)
  }
})
