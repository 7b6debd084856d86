import type { Schedule } from '../command/options.ts'
import type { LoadSession } from '../generator/generator.ts'
import type { Target, Timing } from '../generator/messages.ts'
import { treeMegabytes } from '../measure/process-memory.ts'
import type { Sample, SubjectName } from '../results/measurement.ts'
import { sampleOfLoad } from '../results/sample-of-load.ts'
import type { Bench } from './bench.ts'

/** One subject of a measurement: a server under load, or a baseline. */
export interface Subject {
  readonly variant: string
  readonly name: SubjectName
  readonly connections: number
  readonly rows: number
  /** The processes whose peak memory is recorded; null for none. */
  readonly target: Target | null
  sample(timing: Timing): Promise<Sample>
}

interface Measured {
  readonly scenario: string
  readonly subjects: readonly Subject[]
  /** By default, that of the command. */
  readonly schedule?: Schedule
}

/** Samples all subjects in interleaved rounds and adds a measurement of each to the results. */
export async function measureInRounds(
  { results, options }: Bench,
  { scenario, subjects, schedule = options.schedule }: Measured,
): Promise<void> {
  const samplesOf = await runRounds(subjects, schedule)
  for (const subject of subjects) {
    const { variant, name, connections, rows, target } = subject
    const samples = samplesOf.get(subject) ?? []
    const peakMemory = target && treeMegabytes('VmHWM', target.pid, target.postgresPid)
    results.measurements.push({
      scenario,
      variant,
      subject: name,
      connections,
      rows,
      samples,
      peakMemory,
    })
  }
}

/**
 * Samples each subject once per round, so that noise on the machine affects all of them alike.
 * Every other round runs in reverse, so that no subject always follows the same one.
 */
async function runRounds(
  subjects: readonly Subject[],
  { rounds, warmUp, seconds }: Schedule,
): Promise<ReadonlyMap<Subject, readonly Sample[]>> {
  const samples = new Map<Subject, Sample[]>(subjects.map((subject) => [subject, []]))
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const subject of order) {
      samples.get(subject)?.push(await subject.sample({ warmUp, seconds }))
    }
  }
  return samples
}

interface LoadSubject {
  readonly variant: string
  readonly name: SubjectName
  readonly connections: number
  readonly target: Target
  readonly session: LoadSession
  /** Requests per second. By default, each connection sends its next request after a response. */
  readonly rate?: number
}

/** A server under load from the load generator. */
export function loadSubject(load: LoadSubject): Subject {
  const { variant, name, connections, target, session, rate = null } = load
  return {
    variant,
    name,
    connections,
    rows: target.dataset.rows,
    target,
    sample: async (timing) => sampleOfLoad(await session.run({ ...timing, connections, rate })),
  }
}
