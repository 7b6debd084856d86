import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Small files with long waits. */
const SLOW = /\/test\/(planes\/(conformance|library)|sandboxes\/(acceptance|endpoints))\//

/**
 * Starts slow files first. Vitest starts large files first, so a run would end with the waits of a
 * few small ones.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isSlow = ({ moduleId }: TestSpecification): boolean => SLOW.test(moduleId)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}
