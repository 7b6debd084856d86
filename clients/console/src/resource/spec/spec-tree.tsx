import { isObject } from '../../edit/json/is-object.ts'
import css from './spec.module.css'

/** Objects below this depth start closed. */
const OPEN_DEPTH = 3

interface SpecTreeProps {
  readonly value: unknown
  /** The keys of fields that differ from the spec that adapters saw, as JSON of their paths. */
  readonly changed: ReadonlySet<string>
  /** The path of the value in the spec. */
  readonly path: readonly string[]
}

/** A value as a tree that opens and closes. */
export function SpecTree({ value, changed, path }: SpecTreeProps) {
  const entries = entriesOf(value)
  return (
    <ul className={css['tree']}>
      {entries.map(([key, child]) => (
        <li key={key}>
          <SpecNode name={key} value={child} changed={changed} path={[...path, key]} />
        </li>
      ))}
    </ul>
  )
}

interface SpecNodeProps extends SpecTreeProps {
  readonly name: string
}

function SpecNode({ name, value, changed, path }: SpecNodeProps) {
  const isChanged = changed.has(JSON.stringify(path))
  const title = (
    <>
      <span className={css['key']}>{name}</span>
      {isChanged && <span className={css['changed']}>changed</span>}
    </>
  )
  if (entriesOf(value).length === 0) {
    return (
      <div className={css['leaf']}>
        {title} <Scalar value={value} />
      </div>
    )
  }
  return (
    <details open={path.length < OPEN_DEPTH}>
      <summary>
        {title} <span className={css['size']}>{sizeOf(value)}</span>
      </summary>
      <SpecTree value={value} changed={changed} path={path} />
    </details>
  )
}

function Scalar({ value }: { readonly value: unknown }) {
  if (typeof value === 'string')
    return <span className={css['string']}>{value === '' ? '""' : value}</span>
  return <span className={css['literal']}>{JSON.stringify(value)}</span>
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [String(index), item])
  return isObject(value) ? Object.entries(value) : []
}

function sizeOf(value: unknown): string {
  const count = entriesOf(value).length
  const unit = Array.isArray(value) ? 'item' : 'field'
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
