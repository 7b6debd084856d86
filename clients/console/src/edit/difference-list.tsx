import { useMemo } from 'react'
import { Panel } from '../design/panel.tsx'
import css from './edit.module.css'
import { type Difference, differences } from './json/differences.ts'
import { toYaml } from './yaml/to-yaml.ts'

interface DifferenceListProps {
  readonly title: string
  readonly before: unknown
  readonly after: unknown
  /** Shown without a difference. */
  readonly empty: string
}

/** The fields that differ between two versions, each with its old and its new value. */
export function DifferenceList({ title, before, after, empty }: DifferenceListProps) {
  const found = useMemo(() => differences(before, after), [before, after])
  return (
    <Panel title={title} note={found.length === 0 ? undefined : String(found.length)}>
      {found.length === 0 ? (
        <p className={css['empty']}>{empty}</p>
      ) : (
        <ul className={css['list']}>
          {found.map((difference) => (
            <li key={difference.path.join('\n')}>
              <DifferenceItem difference={difference} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function DifferenceItem({
  difference: { path, before, after },
}: {
  readonly difference: Difference
}) {
  return (
    <div className={css['difference']}>
      <span className={css['path']}>{path.join('.')}</span>
      {before !== undefined && <del className={css['old']}>{valueText(before)}</del>}
      {after !== undefined && <ins className={css['new']}>{valueText(after)}</ins>}
    </div>
  )
}

/** A value in the form in which the editor shows it. */
export function valueText(value: unknown): string {
  if (value === undefined) return '(absent)'
  return toYaml(value).trimEnd() || '{}'
}
