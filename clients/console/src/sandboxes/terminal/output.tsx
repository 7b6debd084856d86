import { useLayoutEffect, useMemo, useRef } from 'react'
import { parseAnsi } from './ansi.ts'
import type { LineBuffer } from './line-buffer.ts'
import css from './output.module.css'

interface OutputProps {
  readonly label: string
  readonly buffer: LineBuffer
  readonly placeholder: string
}

/** Output of a program in its colours. It scrolls with new output unless the user scrolled up. */
export function Output({ label, buffer, placeholder }: OutputProps) {
  const frame = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)
  const text = buffer.lines.join('\n')
  const pieces = useMemo(() => parseAnsi(text), [text])
  useLayoutEffect(() => {
    const element = frame.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  })
  return (
    <pre
      ref={frame}
      className={css['output']}
      role="log"
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long output scrolls
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8
      }}
    >
      {buffer.dropped > 0 && (
        <span className={css['dropped']}>
          {buffer.dropped} earlier lines are not shown.{'\n'}
        </span>
      )}
      {pieces.length === 0 && <span className={css['dropped']}>{placeholder}</span>}
      {pieces.map(({ text: piece, color, isBold }, index) => (
        // Pieces have no identity: they only ever follow each other.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} data-color={color ?? undefined} data-bold={isBold || undefined}>
          {piece}
        </span>
      ))}
    </pre>
  )
}
