/** Where a request to a replayed folder leads. */
import { describe, expect, it } from 'vitest'
import { pathOf, placeOf } from '../../src/serve/folder-place.ts'

const NAMES = new Set(['greeting', 'cases/close 1000', 'cases', 'a', 'a@b'])
const at = (url: string) => placeOf(url, name => NAMES.has(name))

describe('a base URL of a cassette', () => {
  it.each([
    ['/t/greeting/v1beta/models/m:x?alt=sse', 'greeting', '/v1beta/models/m:x?alt=sse'],
    ['/t/greeting//ws/a.b?key=k', 'greeting', '//ws/a.b?key=k'],
    ['//t/greeting/v1', 'greeting', '/v1'],
    ['/t/greeting', 'greeting', '/'],
    ['/t/greeting?a=/b', 'greeting', '/?a=/b'],
    ['/t/cases/close%201000/v1/m', 'cases/close 1000', '/v1/m'],
    ['/t/cases%2Fclose%201000/v1/m', 'cases/close 1000', '/v1/m'],
    ['/t/cases/v1/m', 'cases', '/v1/m'],
  ])('is taken off: %s', (url, name, path) => {
    expect(at(url)).toMatchObject({ type: 'service', cassette: name, name, path })
  })

  it.each([
    ['/t/greeting@1/v1/m', 'greeting', 'greeting@1'],
    ['/t/greeting@tests%2Fa.py%3A%3Atest%5Bx@y%5D/v1/m', 'greeting', 'greeting@tests/a.py::test[x@y]'],
    ['/t/cases/close%201000%407/v1/m', 'cases/close 1000', 'cases/close 1000@7'],
    ['/t/a@b/v1/m', 'a@b', 'a@b'],
    ['/t/a@b@2/v1/m', 'a@b', 'a@b@2'],
  ])('may name a run: %s', (url, cassette, name) => {
    expect(at(url)).toMatchObject({ type: 'service', cassette, name, path: '/v1/m' })
  })

  it('is what it was in addresses for the client, spelled as it was', () => {
    expect(at('/t/cases/close%201000@a%20b/v1/m')).toMatchObject({ prefix: '/t/cases/close%201000@a%20b' })
    expect(at(`${pathOf('cases/close 1000')}/v1/m`)).toMatchObject({ name: 'cases/close 1000' })
  })
})

describe('everything else', () => {
  it.each([
    ['/t/greting/v1beta/models/m:x', 'greting'],
    ['/t/cassettes/greting@2//ws/a.b', 'cassettes/greting@2'],
    ['/t/greeting@/v1/m', 'greeting@'],
    ['/t/%E0%A4%A/v1/m', '%E0%A4%A'],
    ['/t/', ''],
    ['/t/../greeting/v1', '../greeting'],
  ])('is told as a name that no cassette has: %s', (url, asked) => {
    expect(at(url)).toEqual({ type: 'unknown', of: 'service', asked })
  })

  it('is a verdict, or belongs to no cassette', () => {
    expect(at('/__wiretape__/cases/close%201000@2?x')).toMatchObject({
      type: 'verdict',
      name: 'cases/close 1000@2',
    })
    expect(at('/__wiretape__/greting')).toEqual({ type: 'unknown', of: 'verdict', asked: 'greting' })
    expect(at('/__wiretape__/?x')).toEqual({ type: 'names' })
    for (const url of ['/', '/v1beta/models/m:x', '/tt/greeting', 'http://a/t/greeting'])
      expect(at(url)).toEqual({ type: 'outside' })
  })
})
