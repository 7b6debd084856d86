import { setTimeout as sleep } from 'node:timers/promises'
import type { Answers, Question } from './messages.ts'

/** A worker that starts, or computes, does not answer. */
const ANSWER_MS = 2000

/** The open questions to one process. */
export class Questions {
  readonly #send: (question: Question) => void
  readonly #open = new Map<number, (value: Answers[keyof Answers] | null) => void>()
  #lastId = 0

  constructor(send: (question: Question) => void) {
    this.#send = send
  }

  /** Resolves with null if the process does not answer in time. */
  async ask<Name extends keyof Answers>(ask: Name, name = ''): Promise<Answers[Name] | null> {
    const id = (this.#lastId += 1)
    const answer = new Promise<Answers[keyof Answers] | null>((resolve) => {
      this.#open.set(id, resolve)
    })
    this.#send({ ask, id, name })
    const late = sleep(ANSWER_MS, null, { ref: false })
    const value = await Promise.race([answer, late])
    this.#open.delete(id)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a worker answers the question
    return value as Answers[Name] | null
  }

  /** Passes an answer on. */
  settle(id: number, value: Answers[keyof Answers] | null): void {
    this.#open.get(id)?.(value)
  }
}
