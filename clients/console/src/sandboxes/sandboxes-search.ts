/** The state of the list of sandboxes in the address. */
export interface SandboxesSearch {
  /** The name or ID of a cluster; the root plane if absent. */
  readonly plane?: string
}

/** The parts of the page of one sandbox. */
export const SANDBOX_TABS = ['state', 'logs', 'terminal', 'snapshots'] as const

/** A part of the page of one sandbox. */
export type SandboxTab = (typeof SANDBOX_TABS)[number]

/** Reads the address of the list of sandboxes. */
export function readSandboxesSearch({ plane }: Readonly<Record<string, unknown>>): SandboxesSearch {
  return typeof plane === 'string' && plane !== '' ? { plane } : {}
}

/** Reads the address of one sandbox: the part that is shown. */
export function readSandboxSearch({ tab }: Readonly<Record<string, unknown>>): {
  readonly tab?: SandboxTab
} {
  const shown = SANDBOX_TABS.find((one) => one === tab)
  return shown === undefined ? {} : { tab: shown }
}
