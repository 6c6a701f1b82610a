import { expect, it } from '@jest/globals';
import { newerThan2020 } from './browsers-of-2020.js';

it.each([
  ['booking.js', 'const last=list.at(-1);text.replaceAll("a","b")', ['.at(', '.replaceAll(']],
  ['booking.js', 'crypto.randomUUID();structuredClone(x)', ['.randomUUID(', 'structuredClone(']],
  ['booking.js', 'list.flat();text?.trim()??"";Promise.allSettled(all);format(x);Object.entries(x)', []],
  ['booking.js', String.raw`x.match(/(?<=R\$)\d+/);new RegExp("(?<!a)b")`, ['(?<=', '(?<!']],
  ['booking.js', String.raw`x.match(/(?<dia>\d+)/u);/\p{Lu}\P{L}/u.test(x)`, ['(?<d', '\\p{', '\\P{']],
  [
    'booking.js',
    String.raw`const a=/^a.[/s]b$/s,b=x.match(/c/gds);RegExp("a(b).",'s');new RegExp(y,"gv")`,
    [String.raw`/^a.[/s]b$/s`, '/c/gds', `RegExp("a(b).",'s'`, 'RegExp(y,"gv"'],
  ],
  [
    'booking.js',
    'd.toLocaleString("pt-BR",{dateStyle:"short",timeStyle: "short",timeZoneName:"longGeneric",style:"unit"})',
    ['dateStyle:', 'timeStyle:', 'timeZoneName:"longGeneric"', 'style:"unit"'],
  ],
  [
    'booking.js',
    'new Intl.ListFormat("pt");f.formatRange(a,b);1n+BigInt(x)',
    ['Intl.ListFormat', '.formatRange(', '1n', 'BigInt('],
  ],
  [
    'booking.js',
    String.raw`x.match(/(?:a)(?=b)(?!c)\s/giu);a/b/s;f(a)/b/d;"/p/s";{hour:"numeric",timeZoneName:"short",style:"currency"}`,
    [],
  ],
  ['booking.css', '.a{inset:0}.b:focus-visible{height:100dvh}', ['inset:', ':focus-visible', '0dvh']],
  ['booking.css', '.a{margin-gap:0;min-height:48px;width:calc(12px + env(x))}.b:focus{top:0}', []],
  ['booking.png', 'inset:', []],
])('in %s, %j is reported as newer because of %j', (name, content, found) => {
  expect(newerThan2020(name, content)).toEqual(found);
});
