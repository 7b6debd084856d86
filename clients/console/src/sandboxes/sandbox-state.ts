import type { Tone } from '../design/tone.ts'
import type { KubeCondition } from '../kube/kube-object.ts'
import type { Sandbox } from './sandbox.ts'

/** The state of a sandbox in one word, with the reason. */
export interface SandboxState {
  readonly word:
    | 'Running'
    | 'Starting'
    | 'Suspending'
    | 'Suspended'
    | 'Finished'
    | 'Failing'
    | 'Deleting'
  readonly tone: Tone
  /** Why it is in this state, from the conditions; empty if there is nothing to explain. */
  readonly explanation: string
  /** Whether the state will change by itself. */
  readonly isMoving: boolean
}

/** Reasons of Ready=False that do not pass without a user. */
const FAILING = [
  'NoRuntime',
  'Unisolated',
  'ImageNotFound',
  'RuntimeUnreachable',
  'CrashLoopBackOff',
  'SandboxExpired',
]

/** Summarizes the conditions of a sandbox. */
export function sandboxState(sandbox: Sandbox): SandboxState {
  const find = (type: string) => conditionOf(sandbox, type)
  const ready = find('Ready')
  const suspended = find('Suspended')
  const backend = find('BackendResolved')
  if (sandbox.metadata.deletionTimestamp !== undefined) {
    return moving('Deleting', progressOf(find('Progressing')))
  }
  if (find('Finished')?.status === 'True') {
    return still('Finished', 'neutral', messageOf(find('Finished')))
  }
  if (sandbox.spec.operatingMode === 'Suspended') {
    if (suspended?.status === 'True') return still('Suspended', 'info', '')
    if (backend?.status === 'False') return still('Failing', 'bad', messageOf(backend))
    if (suspended?.reason === 'CheckpointFailed')
      return still('Failing', 'bad', messageOf(suspended))
    return moving('Suspending', progressOf(find('Progressing')))
  }
  if (ready?.status === 'True') return still('Running', 'good', '')
  if (backend?.status === 'False') return still('Failing', 'bad', messageOf(backend))
  const restored = find('Restored')
  if (restored?.status === 'False') return still('Failing', 'bad', messageOf(restored))
  if (FAILING.includes(ready?.reason ?? '')) return still('Failing', 'bad', messageOf(ready))
  return moving('Starting', progressOf(find('Progressing')) || messageOf(ready))
}

/** The condition of a type. */
export function conditionOf(sandbox: Sandbox, type: string): KubeCondition | undefined {
  return sandbox.status?.conditions?.find((condition) => condition.type === type)
}

function moving(word: SandboxState['word'], explanation: string): SandboxState {
  return { word, tone: 'warn', explanation, isMoving: true }
}

function still(word: SandboxState['word'], tone: Tone, explanation: string): SandboxState {
  return { word, tone, explanation, isMoving: false }
}

function progressOf(condition: KubeCondition | undefined): string {
  return condition?.status === 'True' ? messageOf(condition) : ''
}

function messageOf(condition: KubeCondition | undefined): string {
  const { reason = '', message = '' } = condition ?? {}
  return message === '' ? reason : message
}
