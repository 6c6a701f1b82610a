import { excessOf } from './body-limits.js';
import { Problem } from './problem.js';

const EXCESS = {
  levels: 'O conteúdo tem níveis demais',
  values: 'O conteúdo tem campos demais',
};

/** The bytes are not valid JSON. */
export class MalformedJson extends Problem {
  constructor() {
    super('validation', { errors: [{ pointer: '', detail: 'O conteúdo não é um JSON válido' }] });
  }
}

/**
 * Parses unambiguous JSON: valid UTF-8, no duplicate keys, and what `assertStorable` requires. Texts with too many values or
 * levels are refused before decoding.
 * @throws Problem `validation`, naming the place
 */
export function parseStrictJson(bytes: Uint8Array, maxValues?: number): unknown {
  const excess = excessOf(bytes, maxValues);
  if (excess) throw refusal('', EXCESS[excess]);
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new MalformedJson();
  }
  refuseDuplicateKeys(text);
  assertStorable(value);
  return value;
}

/**
 * Refuses values that Postgres or JavaScript would reject or alter: NUL, lone surrogates, numbers above 2^53, and keys such
 * as `__proto__`.
 * @throws Problem `validation`, naming the place
 */
export function assertStorable(value: unknown, pointer = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || /\p{Surrogate}/u.test(value))
      throw refusal(pointer, 'Há caracteres inválidos');
  } else if (typeof value === 'number') {
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) throw refusal(pointer, 'O número é grande demais');
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => assertStorable(item, `${pointer}/${index}`));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      const place = `${pointer}/${escapePointer(key)}`;
      if (key === '__proto__') throw refusal(place, 'Campo desconhecido');
      assertStorable(key, place);
      assertStorable(item, place);
    }
  }
}

export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Scans text that is known to be valid JSON once, with the keys of each open object. */
function refuseDuplicateKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  const token = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found] = match;
    if (found === '{' || found === '[') {
      open.push(found === '{' ? new Set() : null);
    } else if (found === '}' || found === ']') {
      open.pop();
    } else if (match[1]) {
      const key = readKey(found.slice(0, found.length - match[1].length));
      const keys = open.at(-1);
      if (keys?.has(key)) throw refusal(`/${escapePointer(key)}`, 'Campo repetido');
      keys?.add(key);
    }
  }
}

function readKey(quoted: string): string {
  return quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1);
}

function refusal(pointer: string, detail: string): Problem {
  return new Problem('validation', { errors: [{ pointer, detail }] });
}
