import { type Breadth, SEARCH_FORMS, type SearchForm } from '../data/searches.ts'
import { type Bench, standardDataset } from './bench.ts'
import { runClosedLoop } from './closed-loop.ts'
import { only, type Variant } from './variant.ts'

const PAGE_SIZES = [10, 20, 100] as const
const PAGES = { first: 1, hundredth: 100 } as const
/** A selective search finds about SELECTIVE_MATCHES; several of them at once some more. */
const MOST_SELECTED = 100
/** A broad search finds at least this share of all. */
const LEAST_BROAD = 0.08
/** Searches come in many forms: each gets less time than other variants. */
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
      const isFloor = size === 20 && page === 1
      return {
        name: `${name} page of ${size}`,
        mix: only({ op: 'list', page, pageSize: size }),
        problem: pageProblem(page, size),
        ...(isFloor && { bare: true, pgbench: 'list' as const }),
      }
    }),
  )
  await runClosedLoop(bench, { name: 'list', dataset: standardDataset(bench.options), variants })
}

/** The first page with its total, of what a search finds. */
export async function measureSearch(bench: Bench): Promise<void> {
  const { pace, quick, seconds } = bench.options
  await runClosedLoop(bench, {
    name: 'search',
    dataset: standardDataset(bench.options),
    variants: SEARCH_FORMS.flatMap((form) => [
      searchVariant(form, 'selective'),
      searchVariant(form, 'broad'),
    ]),
    pace: quick && seconds === null ? { ...pace, seconds: QUICK_SEARCH_SECONDS } : pace,
  })
}

/** The first page of a search, and whether it finds as many clusters as it is meant to. */
export function searchVariant(form: SearchForm, breadth: Breadth): Variant {
  return {
    name: `${form}, ${breadth}`,
    mix: only({ op: 'search', form, breadth }),
    problem: ({ total = 0 }, rows) => {
      const fits = breadth === 'broad' ? total >= rows * LEAST_BROAD : total <= MOST_SELECTED
      return fits && total > 0 ? null : `finds ${total} of ${rows} clusters`
    },
  }
}

/** Whether a page has the items that it must have. */
export function pageProblem(page: number, size: number): NonNullable<Variant['problem']> {
  return ({ items = [], total = 0 }, rows) => {
    const least = Math.min(size, Math.max(0, rows - (page - 1) * size))
    return items.length >= least && total >= rows ? null : `has ${items.length} items of ${total}`
  }
}
