import { isSerializationFailure } from './translate-database-error.ts'

/** Whether the write was done: false where it met a concurrent one and undid itself. */
export async function unlessCollision(write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write()
  } catch (error) {
    if (isSerializationFailure(error)) return false
    throw error
  }
}
