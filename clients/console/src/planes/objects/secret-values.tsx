import { useState } from 'react'
import { isObject } from '../../../../typescript/src/http/json.ts'
import { Button } from '../../design/button.tsx'
import { CopyButton } from '../../design/copy-button.tsx'
import { Panel } from '../../design/panel.tsx'
import { Facts } from '../../kube/facts.tsx'
import type { KubeObject } from '../../kube/kube-object.ts'
import css from './object-facts.module.css'
import { decodeText } from './secret-text.ts'

interface SecretValuesProps {
  readonly object: KubeObject
  /** Opens the editor, which shows all values. */
  readonly onEdit: () => void
}

/** The keys of a Secret. Each value is masked until the user asks for it. */
export function SecretValues({ object, onEdit }: SecretValuesProps) {
  const data = 'data' in object && isObject(object.data) ? object.data : {}
  const values = Object.entries(data).map(([key, value]) => ({
    label: key,
    value: <SecretValue name={key} base64={typeof value === 'string' ? value : ''} />,
  }))
  return (
    <Panel
      title="Values"
      actions={
        <Button size="small" onClick={onEdit}>
          Show as YAML
        </Button>
      }
    >
      <div className={css['padded']}>
        {values.length === 0 ? <p>The secret has no values.</p> : <Facts facts={values} />}
      </div>
    </Panel>
  )
}

function SecretValue({ name, base64 }: { readonly name: string; readonly base64: string }) {
  const [isShown, setShown] = useState(false)
  const text = decodeText(base64)
  return (
    <span className={css['id']}>
      <code className={css['secret']}>{isShown ? (text ?? base64) : '••••••••'}</code>
      <Button
        size="small"
        variant="ghost"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${name}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide' : 'Show'}
      </Button>
      <CopyButton text={text ?? base64} label={`Copy ${name}`} />
      {isShown && text === null && <span>base64, because it is not text</span>}
    </span>
  )
}
