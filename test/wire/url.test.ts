/** What stands after a URL's origin is never touched. */
import { expect, it } from 'vitest'
import { withOrigin, withoutOrigin } from '../../src/wire/url.ts'

it.each([
  ['https://example.com/v1/models', '/v1/models'],
  ['HTTP://example.com:8080?key=%2F', '?key=%2F'],
  ['https://user:pass@example.com//a/../b%zz#c', '//a/../b%zz#c'],
  ['/v1/https://example.com', '/v1/https://example.com'],
  ['example.com/v1', 'example.com/v1'],
])('cuts the origin off %s', (url, rest) => {
  expect(withoutOrigin(url)).toBe(rest)
})

it('puts another origin in its place, whatever is in it', () => {
  expect(withOrigin('https://a.example/x?y', 'http://127.0.0.1:1/$&')).toBe('http://127.0.0.1:1/$&/x?y')
  expect(withOrigin('/x?y', 'http://127.0.0.1:1')).toBe('/x?y')
})
