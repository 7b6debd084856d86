import type { Kind } from '../../store/registry/kind.ts'
import { cluster } from './cluster/kind.ts'
import { nodePool } from './node-pool/kind.ts'
import { view } from './view/kind.ts'

/** The kinds that this server serves: a new kind is a folder and one line here. */
export const kinds: readonly Kind[] = [cluster, nodePool, view]
