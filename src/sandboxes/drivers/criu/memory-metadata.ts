import type { MappedFile } from './mapped-files.ts'

/** Describes memory images. It is stored next to them. */
export interface MemoryMetadata {
  readonly format: 1
  /** The account of the processes. */
  readonly uid: number
  /** Paths that the images contain and that a restore replaces. */
  readonly outputFile: string
  readonly exitStatusFile: string
  /** Directory of the sandbox: the images contain paths below it. */
  readonly directory: string
  readonly mappedFiles: readonly MappedFile[]
}

export const METADATA_NAME = 'memory.json'

/** Reads the description of memory images; null if it is not one. */
export function readMemoryMetadata(text: string): MemoryMetadata | null {
  try {
    const value: unknown = JSON.parse(text)
    return isMetadata(value) ? value : null
  } catch {
    return null
  }
}

function isMetadata(value: unknown): value is MemoryMetadata {
  if (!isObject(value) || value['format'] !== 1 || typeof value['uid'] !== 'number') return false
  const hasPaths = ['outputFile', 'exitStatusFile', 'directory'].every(
    (name) => typeof value[name] === 'string',
  )
  const files = value['mappedFiles']
  return hasPaths && Array.isArray(files) && files.every(isMappedFile)
}

function isMappedFile(value: unknown): value is MappedFile {
  return (
    isObject(value) &&
    typeof value['path'] === 'string' &&
    typeof value['bytes'] === 'number' &&
    typeof value['modifiedMs'] === 'number'
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
