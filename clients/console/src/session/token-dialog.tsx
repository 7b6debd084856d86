import { useState, useSyncExternalStore } from 'react'
import { Client } from '../../../typescript/src/client.ts'
import { describeError } from '../design/states/describe-error.ts'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/overlays/dialog.tsx'
import { TextField } from '../design/text-field.tsx'
import { session } from './connection.ts'
import css from './token-dialog.module.css'

/**
 * Asks for a token after the server rejected the current one. The page below stays as it is, so
 * that no edit is lost, and its requests continue with the new token.
 */
export function TokenDialog() {
  const isOpen = useSyncExternalStore(session.subscribe, () => session.needsToken)
  const hadToken = session.currentToken() !== ''
  return (
    <Dialog
      open={isOpen}
      onClose={() => undefined}
      title={hadToken ? 'Your token has expired' : 'Sign in'}
      description={
        hadToken
          ? 'Enter a new token to continue. Nothing on this page is lost.'
          : 'This server requires a bearer token. Ask its administrator for one.'
      }
    >
      {isOpen && <TokenForm />}
    </Dialog>
  )
}

/** Checks a token with the server before it replaces the current one. */
export function TokenForm() {
  const [token, setToken] = useState('')
  const [remember, setRemember] = useState(session.remembered)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    setProblem(await problemOf(token.trim()))
    setBusy(false)
  }
  const problemOf = async (candidate: string): Promise<string | null> => {
    if (candidate === '') return 'Enter a token.'
    try {
      await new Client(window.location.origin, { token: candidate, retries: 1 }).whoami()
    } catch (error) {
      return describeError(error).message
    }
    session.accept(candidate, remember)
    return null
  }
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextField
        label="Bearer token"
        type="password"
        autoComplete="off"
        spellCheck={false}
        value={token}
        onChange={setToken}
        error={problem}
        hint="It stays in this browser and is sent only to this server."
      />
      <label className={css['remember']}>
        <input
          type="checkbox"
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
        />
        Remember on this device
      </label>
      <Button type="submit" variant="primary" disabled={isBusy}>
        {isBusy ? 'Checking the token…' : 'Continue'}
      </Button>
    </form>
  )
}
