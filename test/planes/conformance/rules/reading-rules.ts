import { describe, expect, test } from 'vitest'
import { collectionOf, failure, namesOf, revisionOf, type Suite } from '../suite.ts'

/** R10 to R13: resource versions of reads, pages and selectors. */
export function readingRules(suite: Suite): void {
  const { subject } = suite
  const objects = collectionOf(suite)

  describe('reading', () => {
    test('R10: reads accept resource versions', async () => {
      const name = objects.unique()
      const { body } = await objects.create(name)
      const { resourceVersion } = body.metadata
      for (const query of [{}, { resourceVersion: '0' }, { resourceVersion }]) {
        expect((await objects.get(name, { query })).body.metadata.uid).toBe(body.metadata.uid)
        expect(namesOf(await objects.list(query))).toContain(name)
      }
      const exact = { resourceVersion, resourceVersionMatch: 'Exact' }
      await objects.merge(name, subject.content('two'))
      expect(await objects.list(exact)).toMatchObject(failure(410, 'Expired'))
      const notOlder = { resourceVersion, resourceVersionMatch: 'NotOlderThan' }
      expect((await objects.list(notOlder)).status).toBe(200)
    })

    test('R10: a resource version from the future is a timeout with a retry', async () => {
      const list = await objects.list()
      const resourceVersion = String(revisionOf(list.body) + 1_000_000n)
      const response = await objects.list({ resourceVersion })
      expect(response).toMatchObject(failure(504, 'Timeout'))
      expect(response.body.details.retryAfterSeconds).toBeGreaterThan(0)
      expect(response.body.message).toContain('Too large resource version')
    })

    test.each([
      { resourceVersion: 'x' },
      { resourceVersionMatch: 'Exact' },
      { resourceVersion: '1', resourceVersionMatch: 'Newest' },
      { resourceVersion: '0', resourceVersionMatch: 'Exact' },
      { limit: '-1' },
      { limit: 'x' },
      { continue: 'x' },
      { labelSelector: 'a like b' },
      { labelSelector: 'a in b' },
      { fieldSelector: 'spec.unknown=b' },
      { fieldSelector: 'a' },
    ])('R10: rejects invalid options: %j', async (query) => {
      const { status } = await objects.list(query)
      expect([400, 422]).toContain(status)
    })

    test('R11: pages have the revision of the first one, and a watch from it converges', async () => {
      const label = objects.unique('page')
      const created = Array.from({ length: 7 }, (_, index) => `${label}-${index}`)
      for (const name of created) await objects.create(name, 'one', { labels: { page: label } })
      const labelSelector = `page=${label}`
      const first = await objects.list({ labelSelector, limit: '3' })
      expect(namesOf(first)).toEqual(created.slice(0, 3))
      expect(first.body.metadata.continue).not.toBe('')
      await objects.delete(`${label}-4`)
      await objects.create(`${label}-5a`, 'one', { labels: { page: label } })
      const pages = [first]
      for (let token = first.body.metadata.continue; token;) {
        const page = await objects.list({ labelSelector, limit: '3', continue: token })
        pages.push(page)
        token = page.body.metadata.continue
      }
      const revisions = new Set(pages.map(({ body }) => body.metadata.resourceVersion))
      expect(revisions.size).toBe(1)
      const found = new Set(pages.flatMap(namesOf))
      await using watch = await objects.watch({
        labelSelector,
        resourceVersion: first.body.metadata.resourceVersion,
      })
      await objects.create(`${label}-end`, 'one', { labels: { page: label } })
      const events = await watch.until(({ object }) => object.metadata.name === `${label}-end`)
      for (const { type, object } of events) {
        if (type === 'DELETED') found.delete(object.metadata.name)
        else found.add(object.metadata.name)
      }
      expect([...found].toSorted()).toEqual(namesOf(await objects.list({ labelSelector })))
    })

    test('R11: the token belongs to its list', async () => {
      const label = objects.unique('token')
      for (const name of ['a', 'b']) {
        await objects.create(`${label}-${name}`, 'one', { labels: { token: label } })
      }
      const { body } = await objects.list({ labelSelector: `token=${label}`, limit: '1' })
      const token = body.metadata.continue
      expect(
        await objects.list({ labelSelector: 'other', limit: '1', continue: token }),
      ).toMatchObject(failure(400, 'BadRequest'))
      const damaged = `${token.slice(0, -2)}${token.endsWith('A') ? 'B' : 'A'}`
      expect((await objects.list({ limit: '1', continue: damaged })).status).toBe(400)
    })

    test.each([
      ['tier', ['a', 'b', 'd']],
      ['!tier', ['c']],
      ['tier=web', ['a']],
      ['tier==web', ['a']],
      ['tier!=web', ['b', 'c', 'd']],
      ['tier in (web,db)', ['a', 'b']],
      ['tier notin (web,db)', ['c', 'd']],
      ['tier=,app', ['d']],
      ['size>4', ['b']],
      ['size<5', ['a']],
      ['tier,!size', ['d']],
    ])('R12: the label selector %j', async (selector, expected) => {
      const set = objects.unique('set')
      const labels = [
        ['a', { tier: 'web', size: '4' }],
        ['b', { tier: 'db', size: '10' }],
        ['c', { app: 'x' }],
        ['d', { tier: '', app: 'x' }],
      ] as const
      for (const [name, extra] of labels) {
        await objects.create(`${set}-${name}`, 'one', { labels: { set, ...extra } })
      }
      const list = await objects.list({ labelSelector: `set=${set},${selector}` })
      expect(namesOf(list)).toEqual(expected.map((name) => `${set}-${name}`))
    })

    test('R13: field selectors by name and namespace', async () => {
      const [first, second] = [objects.unique(), objects.unique()]
      await objects.create(first)
      await objects.create(second)
      const byName = await objects.list({ fieldSelector: `metadata.name=${first}` })
      expect(namesOf(byName)).toEqual([first])
      const others = namesOf(
        await objects.list({
          fieldSelector: `metadata.name!=${first},metadata.namespace=${suite.namespace}`,
        }),
      )
      expect(others).toContain(second)
      expect(others).not.toContain(first)
      expect(namesOf(await objects.list({ fieldSelector: 'metadata.namespace=other' }))).toEqual([])
      expect(await objects.list({ fieldSelector: 'spec.unknown=1' })).toMatchObject(
        failure(400, 'BadRequest'),
      )
    })

    test.runIf(subject.isCustom)('R13: selectable fields of a definition', async () => {
      const name = objects.unique()
      await objects.create(name, `value-${name}`)
      const list = await objects.list({ fieldSelector: `spec.value=value-${name}` })
      expect(namesOf(list)).toEqual([name])
    })
  })
}
