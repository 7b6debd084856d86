import { Button } from '../../design/button.tsx'
import { Icon } from '../../design/icon.tsx'
import { type LabelRow, rowProblem } from './label-rows.ts'
import css from './labels.module.css'

interface LabelsFieldsProps {
  readonly rows: readonly LabelRow[]
  readonly onChange: (rows: readonly LabelRow[]) => void
}

/** Inputs for labels: a row for each, and a button that adds one. */
export function LabelsFields({ rows, onChange }: LabelsFieldsProps) {
  const change = (row: number, part: Partial<LabelRow>) =>
    onChange(rows.map((one) => (one.row === row ? { ...one, ...part } : one)))
  const add = () => {
    const row = Math.max(-1, ...rows.map((one) => one.row)) + 1
    onChange([...rows, { row, key: '', value: '' }])
  }
  return (
    <div className={css['fields']}>
      {rows.map((row) => {
        const problem = rowProblem(row, rows)
        const name = row.key === '' ? 'new label' : row.key
        return (
          <div key={row.row} className={css['field']}>
            <input
              className={css['input']}
              aria-label="Key"
              aria-invalid={problem !== null}
              placeholder="key"
              spellCheck={false}
              value={row.key}
              onChange={(event) => change(row.row, { key: event.target.value })}
            />
            <input
              className={css['input']}
              aria-label={`Value of ${name}`}
              placeholder="value"
              spellCheck={false}
              value={row.value}
              onChange={(event) => change(row.row, { value: event.target.value })}
            />
            <Button
              variant="ghost"
              square
              aria-label={`Remove ${name}`}
              onClick={() => onChange(rows.filter((one) => one.row !== row.row))}
            >
              <Icon name="cross" size={14} />
            </Button>
            {problem !== null && <p className={css['problem']}>{problem}</p>}
          </div>
        )
      })}
      <Button size="small" onClick={add}>
        <Icon name="plus" size={14} />
        Add label
      </Button>
    </div>
  )
}
