import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import type { ArchiveLimits } from './archive-limits.ts'
import { isOutsideLink } from './outside-link.ts'
import { startTool, type ToolOptions } from './start-tool.ts'

/** The content of the folders that an archive captures. Paths are bytes, decoded as Latin-1. */
export interface TreeListing {
  /** Folders, files and symbolic links; a folder precedes its content. */
  readonly paths: readonly string[]
  /** Sum of the allocated sizes of all files. */
  readonly bytes: number
  /** Target by path of each link that points outside. */
  readonly outsideLinks: ReadonlyMap<string, string>
  /** Sockets, fifos and devices, which are not captured. */
  readonly skippedSpecial: number
  /** Files of other users, which hard links can bring into a folder, are not captured. */
  readonly skippedForeign: number
}

export interface ListOptions extends ToolOptions {
  /** Folders below `cwd`, such as `workspace`. */
  readonly folders: readonly string[]
  /** Only files of this user are captured; null captures all. */
  readonly owner: number | null
  readonly limits: ArchiveLimits
}

const FIELDS = 5
const BLOCK = 512

interface Found {
  readonly type: string
  readonly owner: number
  readonly bytes: number
  readonly path: string
  readonly target: string
}

/** Lists folders with GNU find, which never follows links. */
export async function listTree(options: ListOptions): Promise<TreeListing> {
  const { output, exited } = startTool(
    'find',
    ['-P', ...options.folders, '-printf', '%y\\0%U\\0%b\\0%p\\0%l\\0'],
    options,
  )
  const listing = new Listing(options)
  for await (const found of readFound(output)) listing.add(found)
  await exited
  return listing
}

class Listing implements TreeListing {
  readonly paths: string[] = []
  readonly outsideLinks = new Map<string, string>()
  bytes = 0
  skippedSpecial = 0
  skippedForeign = 0
  readonly #options: ListOptions
  /** The last folder of another user. Its content follows it in the listing. */
  #foreignFolder: string | null = null

  constructor(options: ListOptions) {
    this.#options = options
  }

  add(found: Found): void {
    const { limits } = this.#options
    if (!'dfl'.includes(found.type)) this.skippedSpecial += 1
    else if (this.#isForeign(found)) this.skippedForeign += 1
    else this.#capture(found)
    if (this.paths.length > limits.entries) throw tooLarge('entries', limits.entries)
    if (this.bytes > limits.bytes) throw tooLarge('bytes', limits.bytes)
    if (this.outsideLinks.size > limits.outsideLinks) {
      throw tooLarge('links that point outside', limits.outsideLinks)
    }
  }

  #isForeign({ type, owner, path }: Found): boolean {
    const { owner: expected, folders } = this.#options
    if (this.#foreignFolder !== null && path.startsWith(`${this.#foreignFolder}/`)) return true
    if (expected === null || owner === expected || folders.includes(path)) return false
    if (type === 'd') this.#foreignFolder = path
    return true
  }

  #capture(found: Found): void {
    this.paths.push(found.path)
    if (found.type === 'f') this.bytes += found.bytes
    if (found.type === 'l' && isOutsideLink(found.path, found.target)) {
      this.outsideLinks.set(found.path, found.target)
    }
  }
}

async function* readFound(stream: AsyncIterable<Buffer>): AsyncGenerator<Found> {
  let rest = ''
  let fields: string[] = []
  for await (const chunk of stream) {
    const parts = `${rest}${chunk.toString('latin1')}`.split('\0')
    rest = parts.pop() ?? ''
    fields.push(...parts)
    let at = 0
    for (; at + FIELDS <= fields.length; at += FIELDS) {
      const [type = '', owner = '', blocks = '', path = '', target = ''] = fields.slice(
        at,
        at + FIELDS,
      )
      yield { type, owner: Number(owner), bytes: Number(blocks) * BLOCK, path, target }
    }
    fields = fields.slice(at)
  }
}

function tooLarge(what: string, limit: number): SandboxDriverError {
  return new SandboxDriverError(
    'FAILED_PRECONDITION',
    `the sandbox's files exceed the limit of ${limit} ${what} of a snapshot`,
  )
}
