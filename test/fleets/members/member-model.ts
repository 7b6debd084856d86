/** A cluster whose name matters to a fleet. */
interface ModelCluster {
  readonly relation: 'member' | 'orphan' | 'foreign'
  readonly claimed: boolean
}

/** The desired members. `names` decides unless it is empty. */
export interface ModelSpec {
  readonly replicas: number
  readonly minReady: number
  readonly names: readonly string[]
}

/** The prediction of the rules of fleets, without a database. */
export class MemberModel {
  readonly clusters = new Map<string, ModelCluster>()
  readonly #prefix: string
  readonly #orphans: boolean
  spec: ModelSpec = { replicas: 0, minReady: 0, names: [] }

  constructor(prefix: string, orphans: boolean) {
    this.#prefix = prefix
    this.#orphans = orphans
  }

  /** Names of members; claimed ones end with an exclamation mark. */
  members(): readonly string[] {
    return [...this.clusters]
      .filter(([, { relation }]) => relation === 'member')
      .map(([name, { claimed }]) => name + (claimed ? '!' : ''))
      .toSorted()
  }

  claimed(): readonly string[] {
    return [...this.clusters].filter(([, { claimed }]) => claimed).map(([name]) => name)
  }

  set(name: string, relation: ModelCluster['relation'], claimed = false): void {
    this.clusters.set(name, { relation, claimed })
  }

  converge(): void {
    const { names } = this.spec
    if (names.length > 0) this.#toNames(names)
    else this.#toCount(Math.max(this.spec.replicas, this.claimed().length + this.spec.minReady))
  }

  #toNames(names: readonly string[]): void {
    for (const [name, { relation, claimed }] of this.clusters.entries()) {
      if (relation === 'member' && !claimed && !names.includes(name)) this.#remove(name)
    }
    for (const name of names) this.#occupy(name)
  }

  #toCount(wanted: number): void {
    const members = this.members().map((name) => name.replace('!', ''))
    const missing = wanted - members.length
    const unclaimed = members.filter((name) => !this.clusters.get(name)?.claimed)
    const order = unclaimed.toSorted((a, b) => this.#removalRank(a) - this.#removalRank(b))
    for (const name of order.slice(0, Math.max(0, -missing))) this.#remove(name)
    let slots = missing
    for (let index = 0; slots > 0; index += 1) {
      const name = this.#prefix + String(index).padStart(4, '0')
      if (members.includes(name)) continue
      slots -= 1
      this.#occupy(name)
    }
  }

  /** Other names first, the last of them before the others, then the highest index. */
  #removalRank(name: string): number {
    const digits = name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : ''
    if (/^\d{4}$/.test(digits)) return -Number(digits)
    return -1_000_000 - name.charCodeAt(name.length - 1)
  }

  #occupy(name: string): void {
    const found = this.clusters.get(name)
    if (found?.relation !== 'foreign' && found?.relation !== 'member') this.set(name, 'member')
  }

  #remove(name: string): void {
    if (this.#orphans) this.set(name, 'orphan')
    else this.clusters.delete(name)
  }
}
