import { CliError } from '../errors/cli-error.ts'

const SET = /^([^=]+)=(.*)$/s
const REMOVE = /^([^=]+)-$/

interface LabelArguments {
  /** Kinds and names. */
  readonly objects: readonly string[]
  /** The new value of each label; null removes it. */
  readonly changes: Readonly<Record<string, string | null>>
}

/** Separates the labels from the objects before them. `tier=gold` sets a label, `tier-` removes it. */
export function labelChanges(args: readonly string[]): LabelArguments {
  const first = args.findIndex((one) => SET.test(one) || REMOVE.test(one))
  const labels = first < 0 ? [] : args.slice(first)
  if (labels.length === 0) {
    throw new CliError('there is no label to change', {
      exit: 'usage',
      hint: 'KEY=VALUE sets a label, KEY- removes it.',
    })
  }
  return { objects: args.slice(0, first), changes: Object.fromEntries(labels.map(changeOf)) }
}

function changeOf(text: string): [string, string | null] {
  const [, key, value] = SET.exec(text) ?? []
  if (key !== undefined && value !== undefined) return [key, value]
  const [, removed] = REMOVE.exec(text) ?? []
  if (removed !== undefined) return [removed, null]
  throw new CliError(`'${text}' is no label`, {
    exit: 'usage',
    hint: 'Names come before labels. KEY=VALUE sets a label, KEY- removes it.',
  })
}
