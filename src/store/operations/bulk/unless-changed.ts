import { unlessCollision } from '../../database/unless-collision.ts'

/** Thrown to roll back a transaction whose trees have changed since they were read. */
export class Changed extends Error {}

/** The result of a transaction, or null if other writers changed its trees, so that it rolled back. */
export function unlessChanged<T>(run: () => Promise<T>): Promise<T | null> {
  return unlessCollision(run, null).catch((error: unknown) => {
    if (error instanceof Changed) return null
    throw error
  })
}
