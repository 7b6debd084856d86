import type { Sandbox } from './sandbox.ts'
import css from './sandbox-page.module.css'
import { sandboxState } from './sandbox-state.ts'

/** What is happening to a sandbox, or why it does not get on. Nothing while all is well. */
export function SandboxProgress({ sandbox }: { readonly sandbox: Sandbox }) {
  const { word, tone, explanation, isMoving } = sandboxState(sandbox)
  return (
    <div role="status">
      {(isMoving || explanation !== '') && (
        <div className={css['progress']} data-tone={tone}>
          <div className={css['line']}>
            <strong>{isMoving ? `${word}…` : word}</strong>
            <span className={css['muted']}>{explanation}</span>
          </div>
          {isMoving && <div className={css['track']} aria-hidden="true" />}
        </div>
      )}
    </div>
  )
}
