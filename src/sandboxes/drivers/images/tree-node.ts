import { badImage } from './bad-image.ts'

export interface FileNode {
  readonly kind: 'file'
  /** The last layer that has written it. */
  readonly layer: number
  readonly isExecutable: boolean
  readonly size: number
  /** SHA-256 of the content. */
  readonly digest: string
}

interface LinkNode {
  readonly kind: 'link'
  readonly layer: number
  readonly target: string
}

export interface DirectoryNode {
  readonly kind: 'directory'
  /** The last layer that has written it or something in it. */
  layer: number
  readonly children: Map<string, TreeNode>
}

/** A part of a root file system, as it was written. */
export type TreeNode = FileNode | LinkNode | DirectoryNode

/** A directory and its path, which contains no links. */
export interface Place {
  readonly node: DirectoryNode
  readonly path: string
}

const MAX_LINKS = 40

export function newDirectory(layer: number): DirectoryNode {
  return { kind: 'directory', layer, children: new Map() }
}

export function childAt({ path }: Place, name: string): string {
  return path === '' ? name : `${path}/${name}`
}

/** Walks a path as a program with this root would. `..` at the root stays there. */
export class Walk {
  readonly #parents: Place[]
  readonly #pending: string[]
  #links = 0

  constructor(root: DirectoryNode, names: readonly string[]) {
    this.#parents = [{ node: root, path: '' }]
    this.#pending = names.toReversed()
  }

  get place(): Place {
    const last = this.#parents.at(-1)
    if (last === undefined) throw new Error('a walk has left its root')
    return last
  }

  /** The next name to find in `place`; null at the end. */
  next(): string | null {
    for (let name = this.#pending.pop(); name !== undefined; name = this.#pending.pop()) {
      if (name === '..' && this.#parents.length > 1) this.#parents.pop()
      if (name !== '' && name !== '.' && name !== '..') return name
    }
    return null
  }

  enter(place: Place): void {
    this.#parents.push(place)
  }

  follow(target: string): void {
    this.#links += 1
    if (this.#links > MAX_LINKS) throw badImage('its links lead in a circle')
    if (target.startsWith('/')) this.#parents.length = 1
    this.#pending.push(...target.split('/').toReversed())
  }
}
