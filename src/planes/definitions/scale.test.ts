import { describe, expect, it } from 'vitest'
import { scaleOf, withScale } from './scale.ts'

const PATHS = {
  specReplicasPath: '.spec.size.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
}
const OBJECT = {
  apiVersion: 'example.com/v1',
  kind: 'Fleet',
  metadata: { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '5', labels: { c: 'd' } },
  spec: { size: { replicas: 3, other: 1 } },
  status: { replicas: 2, selector: 'app=x' },
}

describe('scale', () => {
  it('R24: shows the values of the declared paths', () => {
    expect(scaleOf(OBJECT, PATHS)).toEqual({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'a', namespace: 'b', uid: 'u', resourceVersion: '5' },
      spec: { replicas: 3 },
      status: { replicas: 2, selector: 'app=x' },
    })
    expect(scaleOf({ ...OBJECT, spec: {}, status: {} }, PATHS)).toMatchObject({
      spec: { replicas: 0 },
      status: { replicas: 0 },
    })
  })

  it('R24: changes only the number of replicas', () => {
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: {},
      spec: { replicas: 7 },
    }
    expect(withScale(OBJECT, scale, PATHS)).toEqual({
      ...OBJECT,
      spec: { size: { replicas: 7, other: 1 } },
    })
    const { spec: _spec, ...bare } = OBJECT
    expect(withScale(bare, scale, PATHS)).toMatchObject({ spec: { size: { replicas: 7 } } })
  })

  it('R24: takes the precondition of the scale', () => {
    const metadata = { resourceVersion: '4' }
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: 7 } }
    expect(withScale(OBJECT, scale, PATHS).metadata.resourceVersion).toBe('4')
  })

  it('R24: rejects other kinds and invalid numbers', () => {
    const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: {} }
    expect(() => withScale(OBJECT, { ...scale, kind: 'Fleet' }, PATHS)).toThrow('wrong object')
    for (const replicas of [-1, 1.5, 'a', 2 ** 40]) {
      expect(() => withScale(OBJECT, { ...scale, spec: { replicas } }, PATHS)).toThrow('is invalid')
    }
  })
})
