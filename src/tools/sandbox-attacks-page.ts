import { type Attack, attacksOn, type Boundary } from '../../test/sandboxes/attacks/attacks.ts'
import {
  ATTACK_ON_THE_API,
  ATTACKS_WITHOUT_NETWORK,
  attacksOnNetworks,
} from '../../test/sandboxes/attacks/network-attacks.ts'
import { OPENINGS } from '../../test/sandboxes/attacks/openings.ts'
import { ATTACK_RESULTS, PERMITTED_ATTACKS } from '../../test/sandboxes/attacks/results.ts'

const BOUNDARIES: Readonly<Record<Boundary, string>> = {
  files: 'Files',
  processes: 'Processes',
  network: 'Network',
  kernel: 'Kernel',
  rights: 'Rights',
}

/** The names of attacks do not depend on their targets. */
const TARGETS = {
  victimFile: '',
  victimPid: 0,
  victimPort: 0,
  privateFile: '',
  secret: '',
  runtimePid: 0,
  runtimeSocket: '',
  machinePort: 0,
  abstractSocket: '',
  temporaryFile: '',
}

const POLICIES = Object.keys(PERMITTED_ATTACKS)

/** Generates docs/sandbox-attacks.md, the table of attacks on sandboxes and their results. */
export function sandboxAttacksPage(): string {
  const heads = ATTACK_RESULTS.map(({ isolationClass, user }) => `\`${isolationClass}\`, ${user}`)
  return `# Attacks on sandboxes

<!-- Generated from test/sandboxes/attacks by \`npm run openapi\`. -->

The drill \`sandbox-attacks\` runs these attacks in a sandbox of each [class](sandboxes.md#choose-the-wall)
beside a second sandbox, on a runtime of root and on one of an ordinary user. It fails if a result
differs from this table, which states the results on Debian 12. On other machines, the settings of
the kernel decide whether attacks on the kernel succeed without a wall. "Its own kernel" means that
the attack finds the kernel of the class, which is not that of the machine.

| Boundary | Attack | ${heads.join(' | ')} |
|---|---|${heads.map(() => '---|').join('')}
${[...attacksOn(TARGETS), ...onNetworks()]
  .toSorted((a, b) => order(a.boundary) - order(b.boundary))
  .map(({ name, boundary }) => `| ${BOUNDARIES[boundary]} | ${name} | ${resultsOf(name)} |`)
  .join('\n')}

Behind a wall, a program that creates processes without end, or takes more memory or disk than its
limits, is stopped or ended, and the other sandbox continues. In a sandbox without limits, the
attacks on processes and memory succeed.

## Parts of the wall

The case \`opened-walls\` opens parts of the wall of \`bubblewrap\` on a runtime of root, and repeats
the attacks. Each attack then succeeds, so each line above can fail. It fails again if only one of
its parts is closed: each part holds the attack alone.

| Attack | Parts that hold it |
|---|---|
${attacksOn(TARGETS).map(partsOf).join('\n')}

Attacks on the kernel and on devices of the machine also depend on that machine. If necessary, the
drill opens all rights for them. Of their parts, it closes only the system calls again. It skips
\`init_module\` if the kernel has no modules, and the devices of network and file systems if root
cannot open any of them.

## Networks of a sandbox

The table above states the results without a network. \`bubblewrap\` and \`gvisor\` also run the
attacks on networks with one, and reach only what the [policy](sandboxes.md#networks) of the sandbox
permits:

| Attack | ${POLICIES.join(' | ')} |
|---|${POLICIES.map(() => '---|').join('')}
${onNetworks().map(permissionsOf).join('\n')}
`
}

function onNetworks(): readonly Attack[] {
  return [...attacksOnNetworks('', 0), ATTACK_ON_THE_API, ...ATTACKS_WITHOUT_NETWORK]
}

function partsOf({ name }: Attack): string {
  return `| ${name} | ${OPENINGS[name]?.parts.join(', ') ?? ''} |`
}

function permissionsOf({ name }: Attack): string {
  const results = Object.values(PERMITTED_ATTACKS).map((permitted: readonly string[]) =>
    permitted.includes(name) ? 'permitted' : 'fails',
  )
  return `| ${name} | ${results.join(' | ')} |`
}

function order(boundary: Boundary): number {
  return Object.keys(BOUNDARIES).indexOf(boundary)
}

function resultsOf(attack: string): string {
  return ATTACK_RESULTS.map(({ succeed, offeredByOwnKernel = [] }) => {
    if (succeed.includes(attack)) return '**succeeds**'
    return offeredByOwnKernel.includes(attack) ? 'its own kernel' : 'fails'
  }).join(' | ')
}
