import { useMemo, useState } from 'react'
import { collapseLines, type DiffPart } from './collapse-lines.ts'
import { type DiffLine, diffLines } from './diff-lines.ts'
import css from './diff.module.css'

interface DiffViewProps {
  /** Names the comparison for screen readers. */
  readonly label: string
  readonly before: string
  readonly after: string
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

/** Two texts compared line by line. Unchanged lines far from changes are hidden. */
export function DiffView({ label, before, after }: DiffViewProps) {
  const parts = useMemo(() => collapseLines(diffLines(before, after)), [before, after])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll
    <div className={css['diff']} role="group" aria-label={label} tabIndex={0}>
      {parts.map((part) => (
        <Part key={`${part.lines[0]?.oldLine} ${part.lines[0]?.newLine}`} part={part} />
      ))}
    </div>
  )
}

function Part({ part }: { readonly part: DiffPart }) {
  const [isOpen, setOpen] = useState(false)
  if (part.type === 'hidden' && !isOpen) {
    return (
      <button type="button" className={css['hidden']} onClick={() => setOpen(true)}>
        {part.lines.length} unchanged lines
      </button>
    )
  }
  return part.lines.map((line) => <Line key={`${line.oldLine} ${line.newLine}`} line={line} />)
}

function Line({ line: { type, text, oldLine, newLine } }: { readonly line: DiffLine }) {
  return (
    <div className={`${css['line']} ${css[type]}`}>
      <span className={css['number']}>{oldLine}</span>
      <span className={css['number']}>{newLine}</span>
      <span className={css['sign']}>
        <span aria-hidden="true">{SIGNS[type]}</span>
        {type !== 'same' && <span className="visually-hidden">{type}: </span>}
      </span>
      <code>{text}</code>
    </div>
  )
}
