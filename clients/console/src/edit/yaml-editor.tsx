import { Component, lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import type { FieldError } from '../../../typescript/src/errors/api-error.ts'
import css from './editor/editor.module.css'
import type { EditorProps } from './editor/editor-props.ts'
import type { FocusHandover } from './editor/focus-handover.ts'
import { ProblemList } from './editor/problem-list.tsx'
import { TextEditor } from './editor/text-editor.tsx'
import { fieldProblems } from './yaml/field-problems.ts'
import { parseYaml } from './yaml/parse-yaml.ts'

const CodeMirrorEditor = lazy(() => import('./editor/code-mirror-editor.tsx'))

interface YamlEditorProps extends Omit<EditorProps, 'problems' | 'handover'> {
  /** Errors of the server, which appear at their fields. */
  readonly problems?: readonly FieldError[] | undefined
}

const NONE: readonly FieldError[] = []

/** An editor of a YAML object. It shows syntax errors and the errors of the server in the text. */
export function YamlEditor({ problems: errors = NONE, ...props }: YamlEditorProps) {
  const { value } = props
  const problems = useMemo(() => {
    const parsed = parseYaml(value)
    return [...parsed.problems, ...fieldProblems(parsed.document, errors)]
  }, [value, errors])
  const [handover] = useState<FocusHandover>(() => ({ selection: null }))
  const editor = { ...props, problems, handover }
  const plain = <TextEditor {...editor} />
  return (
    <div className={css['frame']}>
      <div className={css['editor']}>
        <Fallback fallback={plain}>
          <Suspense fallback={plain}>
            <CodeMirrorEditor {...editor} />
          </Suspense>
        </Fallback>
      </div>
      <ProblemList text={value} problems={problems} />
    </div>
  )
}

interface FallbackProps {
  readonly fallback: ReactNode
  readonly children: ReactNode
}

/** Shows the plain editor if the server cannot deliver the rich one. */
class Fallback extends Component<FallbackProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
