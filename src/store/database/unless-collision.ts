import { isSerializationFailure } from './translate-database-error.ts'

/** The result of the write, or `collided` if PostgreSQL rolled it back after a collision. */
export async function unlessCollision<T, C>(write: () => Promise<T>, collided: C): Promise<T | C> {
  try {
    return await write()
  } catch (error) {
    if (isSerializationFailure(error)) return collided
    throw error
  }
}
