/** The shells that have a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
