import { type Breadth, SEARCH_FORMS, type SearchForm } from '../data/searches.ts'
import { type Bench, standardDataset } from './bench.ts'
import { runClosedLoop } from './closed-loop.ts'
import { only, type Variant } from './variant.ts'

const PAGE_SIZES = [10, 20, 100] as const
const PAGES = { first: 1, hundredth: 100 } as const
/** A selective search finds about SELECTIVE_MATCHES clusters, and more if it combines several terms. */
const MAX_SELECTIVE_MATCHES = 100
/** A broad search finds at least this share of all clusters. */
const MIN_BROAD_SHARE = 0.08
/** Shorter than for other scenarios, because this one has fourteen variants. */
const QUICK_SEARCH_SECONDS = 0.35

/** One cluster by its id. */
export async function measureGet(bench: Bench): Promise<void> {
  const variant: Variant = { name: 'get', mix: only({ op: 'get' }), bare: true, pgbench: 'get' }
  await runClosedLoop(bench, {
    name: 'get',
    dataset: standardDataset(bench.options),
    variants: [variant],
  })
}

/** Pages of all clusters, newest first. */
export async function measureList(bench: Bench): Promise<void> {
  const variants = Object.entries(PAGES).flatMap(([name, page]) =>
    PAGE_SIZES.map((size): Variant => {
      const hasBaselines = size === 20 && page === 1
      return {
        name: `${name} page of ${size}`,
        mix: only({ op: 'list', page, pageSize: size }),
        problem: pageProblem(page, size),
        ...(hasBaselines && { bare: true, pgbench: 'list' as const }),
      }
    }),
  )
  await runClosedLoop(bench, { name: 'list', dataset: standardDataset(bench.options), variants })
}

/** The first page of search results, with the total. */
export async function measureSearch(bench: Bench): Promise<void> {
  const { schedule, quick, seconds } = bench.options
  await runClosedLoop(bench, {
    name: 'search',
    dataset: standardDataset(bench.options),
    variants: SEARCH_FORMS.flatMap((form) => [
      searchVariant(form, 'selective'),
      searchVariant(form, 'broad'),
    ]),
    schedule: quick && seconds === null ? { ...schedule, seconds: QUICK_SEARCH_SECONDS } : schedule,
  })
}

/** The first page of a search, checked for the number of matches that its breadth requires. */
export function searchVariant(form: SearchForm, breadth: Breadth): Variant {
  return {
    name: `${form}, ${breadth}`,
    mix: only({ op: 'search', form, breadth }),
    problem: ({ total = 0 }, rows) => {
      const fits =
        breadth === 'broad' ? total >= rows * MIN_BROAD_SHARE : total <= MAX_SELECTIVE_MATCHES
      return fits && total > 0 ? null : `finds ${total} of ${rows} clusters`
    },
  }
}

/** Checks that a page is as long as the dataset allows. */
export function pageProblem(page: number, size: number): NonNullable<Variant['problem']> {
  return ({ items = [], total = 0 }, rows) => {
    const expected = Math.min(size, Math.max(0, rows - (page - 1) * size))
    return items.length >= expected && total >= rows
      ? null
      : `has ${items.length} items of ${total}`
  }
}
