import { useMemo, useState } from 'react'
import { Button } from '../../design/button.tsx'
import css from '../edit.module.css'
import { valueText } from '../difference-list.tsx'
import { parseYaml } from '../yaml/parse-yaml.ts'
import { applyToText } from './apply-to-text.ts'
import { type MergeConflict, mergeThreeWay } from './merge-three-way.ts'

interface ConflictViewProps {
  /** The YAML that the edit started from. */
  readonly base: string
  /** The YAML of the edit. */
  readonly mine: string
  /** The YAML of the current version. */
  readonly theirs: string
  /** Receives the edit with the changes of others. */
  readonly onResolve: (text: string) => void
}

type Side = 'mine' | 'theirs'

/** Combines an edit with changes that others made meanwhile. The user decides about conflicts. */
export function ConflictView({ base, mine, theirs, onResolve }: ConflictViewProps) {
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({})
  const { additions, conflicts } = useMemo(() => {
    const [from, edited, current] = [base, mine, theirs].map((text) => parseYaml(text).value ?? {})
    return mergeThreeWay(from, edited, current)
  }, [base, mine, theirs])
  const isDecided = conflicts.every((conflict) => choices[keyOf(conflict)] !== undefined)
  const resolve = () => {
    const chosen = conflicts.filter((conflict) => choices[keyOf(conflict)] === 'theirs')
    const taken = chosen.map(({ path, theirs: after }) => ({ path, after }))
    onResolve(applyToText(mine, [...additions, ...taken]))
  }
  return (
    <div className={css['conflicts']}>
      {additions.length > 0 && (
        <div>
          <strong>Changes of others that fit your edit</strong>
          <ul className={css['names']}>
            {additions.map(({ path, after }) => (
              <li key={path.join('\n')}>
                {path.join('.')}: {valueText(after)}
              </li>
            ))}
          </ul>
        </div>
      )}
      {conflicts.map((conflict) => (
        <ConflictChoice
          key={keyOf(conflict)}
          conflict={conflict}
          choice={choices[keyOf(conflict)]}
          onChoose={(side) => setChoices({ ...choices, [keyOf(conflict)]: side })}
        />
      ))}
      <div className={css['buttons']}>
        <Button variant="primary" disabled={!isDecided} onClick={resolve}>
          Continue with the merged edit
        </Button>
      </div>
    </div>
  )
}

function keyOf({ path }: MergeConflict): string {
  return path.join('\n')
}

interface ConflictChoiceProps {
  readonly conflict: MergeConflict
  readonly choice: Side | undefined
  readonly onChoose: (side: Side) => void
}

function ConflictChoice({ conflict, choice, onChoose }: ConflictChoiceProps) {
  const { path, base, mine, theirs } = conflict
  const name = path.join('.')
  const option = (side: Side, label: string, value: unknown) => (
    <label className={css['choice']}>
      <input type="radio" name={name} checked={choice === side} onChange={() => onChoose(side)} />
      <span>{label}</span>
      <pre>{valueText(value)}</pre>
    </label>
  )
  return (
    <fieldset className={css['conflict']}>
      <legend>
        Both changed <code>{name}</code>
      </legend>
      <p className={css['small']}>Before: {valueText(base)}</p>
      {option('mine', 'Keep my value', mine)}
      {option('theirs', 'Take the value of others', theirs)}
    </fieldset>
  )
}
