import { expect, it } from 'vitest'
import { membersPerWrite } from './members-per-write.ts'

const contentOf = (length: number) => {
  return { labels: {}, spec: {}, nodePools: [], objects: ['x'.repeat(length)] }
}

it('writes 1 000 members without objects together', () => {
  expect(membersPerWrite({ labels: {}, spec: {}, nodePools: [], objects: [] })).toBe(1000)
  expect(membersPerWrite(contentOf(5000))).toBe(1000)
})

it('writes few members with large objects together', () => {
  expect(membersPerWrite(contentOf(1024 * 1024))).toBe(7)
})

it('writes at least one member', () => {
  expect(membersPerWrite(contentOf(40 * 1024 * 1024))).toBe(1)
})
