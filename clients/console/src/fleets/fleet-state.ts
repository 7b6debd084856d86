import type { Fleet } from '../../../typescript/src/generated/kplane.ts'
import type { Tone } from '../design/tone.ts'

/** The state of a fleet in one word, with its explanation. */
export interface FleetState {
  readonly word: 'Ready' | 'Progressing' | 'Degraded' | 'Scaling down' | 'Deleting' | 'Paused'
  readonly tone: Tone
  readonly explanation: string
}

/** The conditions that explain a fleet that is not ready, the most severe first. */
const PROBLEMS = [
  { type: 'Degraded', word: 'Degraded', tone: 'bad' },
  { type: 'ScalingDown', word: 'Scaling down', tone: 'warn' },
] as const

/** Summarizes the conditions of a fleet. */
export function fleetState({ metadata, spec, status }: Fleet): FleetState {
  const find = (type: string) => status?.conditions?.find((condition) => condition.type === type)
  if (metadata.deletionTimestamp !== undefined) {
    return { word: 'Deleting', tone: 'warn', explanation: find('Deleting')?.message ?? '' }
  }
  for (const { type, word, tone } of PROBLEMS) {
    const condition = find(type)
    if (condition?.status === 'True') return { word, tone, explanation: condition.message }
  }
  if (spec.paused === true) {
    const explanation = 'The controller creates and removes no members until the fleet is resumed.'
    return { word: 'Paused', tone: 'neutral', explanation }
  }
  const isObserved = status?.observedGeneration === metadata.generation
  const ready = find('Ready')
  if (isObserved && ready?.status === 'True')
    return { word: 'Ready', tone: 'good', explanation: '' }
  if (!isObserved) {
    const explanation = `The controller has not seen the last change yet: ${spec.replicas.toLocaleString('en')} members are desired.`
    return { word: 'Progressing', tone: 'warn', explanation }
  }
  const progressing = find('Progressing')
  const explanation = progressing?.status === 'True' ? progressing.message : (ready?.message ?? '')
  return { word: 'Progressing', tone: 'warn', explanation }
}
