/** How the blocks of a page with the same first words are proved. */
interface Proof {
  /** The first words of the block, without its prompt. */
  readonly starts: string
  /** Why no test runs the block as it is written, and what proves its commands instead. */
  readonly reason?: string
}

/** Pages whose blocks all run, in planes-page.drill.ts. */
export const WHOLE_PAGES = ['planes', 'custom-resources', 'fleets', 'sandboxes']

const DEPLOYMENTS = 'needs a cluster of Kubernetes; the drill `deployments` renders the manifests'
const IMAGE = 'needs Docker; the drill `installations` builds the same Dockerfile'
const SANDBOXES = 'starts programs of the reader; test/clients/cli runs each command'
const SHARDS = 'needs servers on other machines; test/shards and the drill `shards` run the command'
const IMPORT = 'needs a HyperFleet server; test/import runs the command on recorded tables'
const SAMPLE = 'library.drill.ts compiles the sample from the package and creates a greeting'
const TOUR = 'readme-tour.drill.ts runs it'

/**
 * Every block with such commands on the other pages, in the order of the page. Those without a reason
 * run in command-pages.drill.ts.
 */
export const COMMAND_BLOCKS: Readonly<Record<string, readonly Proof[]>> = {
  README: [
    { starts: 'kubectl --server', reason: TOUR },
    { starts: 'kubectl --server', reason: TOUR },
  ],
  authentication: [{ starts: 'kubectl create clusterrolebinding dns-adapter' }],
  authorization: [
    { starts: 'kubectl create clusterrolebinding readers' },
    { starts: 'kubectl create serviceaccount builder' },
    { starts: 'kubectl auth can-i' },
  ],
  backup: [
    { starts: 'npx flotilla backup fleet.backup.gz', reason: TOUR },
    { starts: 'npx flotilla backup -', reason: 'needs age; backups.drill.ts writes to a pipe' },
    {
      starts: 'DATABASE_URL=postgresql://flotilla@db-2:5432/copy npx flotilla restore',
      reason: 'needs another database server; copies.test.ts restores a copy',
    },
  ],
  'build-a-control-plane': [
    { starts: 'git clone', reason: 'packaging.test.ts installs the packed package' },
    { starts: 'npx tsx main.ts 8001', reason: SAMPLE },
    { starts: 'alias k=', reason: SAMPLE },
  ],
  cli: [
    { starts: 'flotilla get clusters' },
    { starts: 'flotilla get nodepools' },
    { starts: 'flotilla history' },
    {
      starts: 'flotilla why clusters',
      reason: 'needs a broken fleet; get.test.ts runs the command',
    },
    { starts: 'flotilla kubeconfig', reason: 'access.test.ts connects kubectl' },
    { starts: 'flotilla get cluster lisbom' },
  ],
  'cli-changes': [
    { starts: 'flotilla apply' },
    { starts: 'flotilla create' },
    { starts: 'flotilla edit' },
    { starts: 'flotilla report' },
    { starts: 'flotilla delete' },
    { starts: 'flotilla fleet' },
    { starts: 'flotilla sandbox create', reason: SANDBOXES },
    { starts: 'flotilla sandbox pool', reason: SANDBOXES },
    { starts: 'flotilla login', reason: 'asks for a token; access.test.ts runs each command' },
  ],
  deploy: [
    { starts: 'docker build', reason: IMAGE },
    { starts: 'docker pull', reason: IMAGE },
    { starts: 'kubectl create namespace', reason: DEPLOYMENTS },
    { starts: 'kubectl --namespace flotilla', reason: DEPLOYMENTS },
    {
      starts: '# sudo',
      reason: 'needs an installed service; readme-tour.drill.ts runs the doctor',
    },
    { starts: 'npm install', reason: 'packaging.test.ts installs the packed package' },
  ],
  import: [{ starts: 'npx flotilla export', reason: IMPORT }],
  operate: [{ starts: 'npx flotilla doctor', reason: TOUR }],
  'sandbox-images': [
    { starts: 'docker save', reason: 'needs Docker; test/sandboxes/images runs the command' },
    {
      starts: 'flotilla sandbox images add --namespace',
      reason: 'needs archives of images; test/sandboxes/images runs the command',
    },
  ],
  'sandbox-snapshots': [{ starts: 'kubectl delete snapshotclass' }],
  scale: [
    { starts: 'export SHARD_DIRECTORY_URL', reason: SHARDS },
    { starts: 'SHARD=name=a', reason: SHARDS },
    { starts: 'flotilla shards place', reason: SHARDS },
    { starts: 'flotilla shards list --empty', reason: SHARDS },
    { starts: 'flotilla shards move', reason: SHARDS },
    { starts: 'flotilla shards list', reason: SHARDS },
  ],
}

/** The blocks of a page with such commands, without their prompts. */
export function commandBlocksOf(text: string): readonly string[] {
  return Array.from(text.matchAll(/^```(?:console|sh)\n(.*?)^```$/gms), ([, block = '']) =>
    block.replaceAll(/^\$ /gm, ''),
  ).filter((block) => /\b(?:kubectl|flotilla|helm|docker) /.test(block))
}

/** The blocks of a page that a test runs. */
export function runnableBlocks(page: string, text: string): readonly string[] {
  const proofs = COMMAND_BLOCKS[page] ?? []
  return commandBlocksOf(text).filter((_, index) => proofs[index]?.reason === undefined)
}
