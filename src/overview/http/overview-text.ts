import type { StreamFormat } from '../../http/streams/stream-format.ts'
import { eventJson } from '../../hyperfleet/watch/event-json.ts'

/** An overview in JSON, which all viewers with the same scope share. */
export class OverviewText {
  readonly json: string
  readonly resourceVersion: string
  readonly #frames = new Map<StreamFormat, Buffer>()

  constructor(json: string, resourceVersion: string) {
    this.json = json
    this.resourceVersion = resourceVersion
  }

  /** The event of a stream with this overview. */
  frame(format: StreamFormat): Buffer {
    const known = this.#frames.get(format)
    if (known) return known
    const event = eventJson('MODIFIED', this.json, this.resourceVersion)
    const frame = Buffer.from(format.frame(event, this.resourceVersion))
    this.#frames.set(format, frame)
    return frame
  }
}
