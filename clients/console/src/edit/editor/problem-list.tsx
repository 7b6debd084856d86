import { Icon } from '../../design/icon.tsx'
import type { YamlProblem } from '../yaml/parse-yaml.ts'
import css from './editor.module.css'

const MAX_SHOWN = 8

interface ProblemListProps {
  readonly text: string
  readonly problems: readonly YamlProblem[]
}

/** The problems of a text with their lines. Screen readers announce changes. */
export function ProblemList({ text, problems }: ProblemListProps) {
  const more = problems.length - MAX_SHOWN
  return (
    <div role="status">
      {problems.length > 0 && (
        <ul className={css['problems']}>
          {problems.slice(0, MAX_SHOWN).map((problem) => (
            <li key={`${problem.from} ${problem.message}`} className={css['problem']}>
              <Icon name="alert" size={14} />
              <span className={css['line']}>Line {lineOf(text, problem.from)}</span>
              <span>{problem.message}</span>
            </li>
          ))}
          {more > 0 && <li className={css['problem']}>{more} more problems</li>}
        </ul>
      )}
    </div>
  )
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
