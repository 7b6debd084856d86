/** The options of the scenarios and of `seed`, as `parseArgs` reads them and `--help` prints them. */
export const OPTIONS = {
  quick: { type: 'boolean', default: false, doc: '3 short rounds instead of 5' },
  rows: {
    type: 'string',
    value: 'N',
    doc: 'clusters (default 10000); for growth, the largest dataset (default 1000000)',
  },
  'spec-bytes': {
    type: 'string',
    default: '1024-10240',
    value: 'N|N-M',
    doc: 'size of the specs; small ones are more frequent',
  },
  sandboxes: {
    type: 'string',
    value: 'N',
    doc: 'sandboxes that are suspended at the same time (default 200)',
  },
  connections: { type: 'string', default: '1,16,64', value: 'N,N', doc: 'concurrent connections' },
  only: { type: 'string', value: 'TEXT', doc: 'only variants whose name contains TEXT' },
  rounds: { type: 'string', value: 'N', doc: 'samples per subject' },
  seconds: { type: 'string', value: 'N', doc: 'length of a sample' },
  seed: { type: 'string', default: '1', value: 'N', doc: 'the same seed gives the same clusters' },
  json: { type: 'string', value: 'FILE', doc: 'write every sample to FILE' },
  publish: {
    type: 'boolean',
    default: false,
    doc: 'write results and plots to docs/performance/',
  },
  env: {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    doc: 'a setting of the server; repeatable',
  },
  against: {
    type: 'string',
    value: 'DIR',
    doc: 'compare with another checkout, in the same rounds',
  },
  'against-env': {
    type: 'string',
    multiple: true,
    value: 'NAME=VALUE',
    doc: 'a setting of the compared checkout; repeatable',
  },
  'without-reports': { type: 'boolean', default: false, doc: 'seed: insert no reports' },
  'node-pools': { type: 'string', default: '0', value: 'N', doc: 'seed: node pools per cluster' },
} as const
