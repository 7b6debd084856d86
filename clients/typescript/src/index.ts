export type * from './generated/hyperfleet.ts'
