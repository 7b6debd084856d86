/** A script that exceeds a limit of the sandbox in the drill. */
interface Bomb {
  readonly name: string
  readonly script: string
  /** Is in the output if no limit holds. */
  readonly succeeds: string
}

export const TAKE_MEMORY: Bomb = {
  name: 'take more memory than the limit',
  script: `perl -e 'my $m = "x" x 300_000_000; print length $m'`,
  succeeds: '300000000',
}

/** They end also if nothing stops them. */
export const BOMBS: readonly Bomb[] = [
  {
    name: 'start more processes than the limit',
    script: 'i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done; echo all started',
    succeeds: 'all started',
  },
  TAKE_MEMORY,
]
