import { describe, expect, it } from '@jest/globals';
import { excessOf } from './body-limits.js';
import { Problem } from './problem.js';
import { parseStrictJson } from './strict-json.js';

const parse = (text: string | Uint8Array) => parseStrictJson(Buffer.from(text));

function problemOf(text: string | Uint8Array): Problem {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof Problem && error.code === 'validation') return error;
    throw error;
  }
  throw new Error('was taken');
}

const pointerOf = (text: string | Uint8Array) => problemOf(text).errors![0]!.pointer;

describe('strict JSON', () => {
  it.each([
    '{"a":"{\\"a\\":1}","b":[{"a":1},{"a":1}],"c":-1.5e3,"d":null,"ç":"água\\n"}',
    ' [ ] ',
    '"texto"',
    '{"a" : {"a" : 1}}',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['duplicate keys', '{"a":1,"a":1}', '/a'],
    ['duplicate keys written differently', '{"a":1,"\\u0061":2}', '/a'],
    ['duplicate keys inside', '{"x":[{"y":{"b":1 , "b" :2}}]}', '/b'],
    ['NUL', '{"a":["x","\\u0000"]}', '/a/1'],
    ['NUL in a key', '{"a\\u0000":1}', '/a\u0000'],
    ['half a surrogate pair', '{"a":"\\ud83d"}', '/a'],
    ['whole numbers past 2^53', '{"a":{"b":9007199254740993}}', '/a/b'],
    ['numbers past every bound', '{"a":-1e400}', '/a'],
    ['keys that reach the prototype', '{"a":{"__proto__":{"admin":true}}}', '/a/__proto__'],
    ['slashes in keys', '{"a/b~":"\\u0000"}', '/a~1b~0'],
    ['broken text', '{"a":1,}', ''],
    ['nothing', '', ''],
    ['bytes that are not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), ''],
    ['many levels', `${'['.repeat(33)}${']'.repeat(33)}`, ''],
  ])('refuses %s', (_what, text, pointer) => {
    expect(pointerOf(text)).toBe(pointer);
  });

  it('survives the deepest body of one mebibyte', () => {
    expect(pointerOf('['.repeat(1024 * 1024))).toBe('');
    expect(pointerOf(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toBe('');
  });
});

describe('a text with too many values or levels', () => {
  const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;

  it.each([
    ['keys', keys(2_000), 'O conteúdo tem campos demais'],
    ['elements', `[${'1,'.repeat(2_000)}1]`, 'O conteúdo tem campos demais'],
    ['empty objects', `[${'{},'.repeat(2_000)}{}]`, 'O conteúdo tem campos demais'],
    ['levels', `${'['.repeat(33)}${']'.repeat(33)}`, 'O conteúdo tem níveis demais'],
    ['keys, and is no JSON', `{${'"a":1,'.repeat(2_000)}`, 'O conteúdo tem campos demais'],
  ])('is refused: %s', (_what, text, detail) => {
    const refused = { code: 'validation', errors: [{ pointer: '', detail }] };
    expect(problemOf(text)).toMatchObject(refused);
  });

  it('does not count commas and brackets inside strings', () => {
    const text = JSON.stringify({ a: ',{['.repeat(5_000), 'b"\\': '\\",'.repeat(2_000) });
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  it('is scanned only up to the first value over the limit', () => {
    /** How many bytes of the text are read. */
    const looked = (text: string) => {
      let count = 0;
      const bytes = new Proxy(Buffer.from(text), {
        get: (target, name) => {
          if (name !== 'length') count += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
      expect(excessOf(bytes)).toBe('values');
      return count;
    };
    expect(looked(keys(105_000))).toBe(looked(keys(1_001)));
  });
});
