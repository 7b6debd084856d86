interface Piece {
  readonly size: number
  holders: number
}

/** Memory that several holders share: each piece counts once, however many hold it. */
export class SharedBytes {
  readonly #pieces = new Map<object, Piece>()
  #total = 0

  /** The sizes of all pieces that have a holder. */
  get total(): number {
    return this.#total
  }

  has(piece: object): boolean {
    return this.#pieces.has(piece)
  }

  /** One more holder. Only the first one says how large the piece is. */
  hold(piece: object, size: number): void {
    const held = this.#pieces.get(piece)
    if (held) {
      held.holders += 1
      return
    }
    this.#pieces.set(piece, { size, holders: 1 })
    this.#total += size
  }

  /** One holder less; the piece no longer counts after the last one. */
  release(piece: object): void {
    const held = this.#pieces.get(piece)
    if (!held) return
    held.holders -= 1
    if (held.holders > 0) return
    this.#pieces.delete(piece)
    this.#total -= held.size
  }
}
