import css from './search-examples.module.css'

const EXAMPLES: readonly { readonly search: string; readonly meaning: string }[] = [
  {
    search: "status.conditions.Ready='False' and labels.environment='production'",
    meaning: 'production that is not ready',
  },
  { search: "labels.team in ('blue', 'green')", meaning: 'two values of a label' },
  { search: "name like 'web-%'", meaning: 'names that begin with web-' },
  { search: 'labels.owner is null', meaning: 'without a label' },
  { search: 'spec.nodes.count > 10', meaning: 'a number in the spec' },
  { search: "created_time >= '2026-05-01'", meaning: 'created since a day' },
]

/** Searches to start from, in place of the rows of a search that the server rejected. */
export function SearchExamples({ onSearch }: { readonly onSearch: (search: string) => void }) {
  return (
    <section className={css['examples']} aria-labelledby="search-examples">
      <h2 id="search-examples" className={css['title']}>
        Searches compare a field with a value
      </h2>
      <ul>
        {EXAMPLES.map(({ search, meaning }) => (
          <li key={search}>
            <button type="button" className={css['example']} onClick={() => onSearch(search)}>
              <code>{search}</code>
              <span>{meaning}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
