import { isSerializationFailure } from './translate-database-error.ts'

/** What the write comes to; `collided` where it met a concurrent one and undid itself. */
export async function unlessCollision<T, C>(write: () => Promise<T>, collided: C): Promise<T | C> {
  try {
    return await write()
  } catch (error) {
    if (isSerializationFailure(error)) return collided
    throw error
  }
}
