/** The meaning of a colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'neutral'
