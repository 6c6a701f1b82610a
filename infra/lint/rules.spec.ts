import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Case, lint, UNREADABLE } from './linted.js';

const later = `const later = async (): Promise<number> => { await new Promise((go) => go(1)); return 1; };`;
const parsed = `const parsed = JSON.parse('{}');`;

/** For each rule, code that breaks it in a file of the platform. */
const broken: [rule: string, text: string][] = [
  // Types
  ['typescript/no-floating-promises', `${later} export const run = () => { later(); };`],
  ['typescript/no-misused-promises', `${later} export const run = (ids: string[]) => ids.forEach(later);`],
  ['typescript/await-thenable', `export const run = async () => { await 1; };`],
  ['typescript/require-await', `export const run = async () => 1;`],
  ['typescript/no-explicit-any', `export type Anything = any;`],
  ['typescript/no-unsafe-assignment', `${parsed} export const run = () => { void parsed; };`],
  ['typescript/no-unsafe-return', `export const run = (text: string) => JSON.parse(text);`],
  ['typescript/no-unsafe-argument', `export const run = (text: string) => parseInt(JSON.parse(text));`],
  [
    'typescript/no-unsafe-member-access',
    `export const run = (text: string) => { void JSON.parse(text).id; };`,
  ],
  ['typescript/no-unsafe-call', `export const run = (text: string) => { void JSON.parse(text)(); };`],
  ['typescript/no-unsafe-enum-comparison', `enum E { A }\nexport const run = (e: E) => e === 0;`],
  ['typescript/no-unsafe-function-type', `export type Run = Function;`],
  ['typescript/no-unnecessary-type-assertion', `export const run = (text: string) => (text as string);`],
  ['typescript/no-base-to-string', `export const run = (all: object) => all.toString();`],
  ['typescript/restrict-template-expressions', 'export const run = (all: object) => `${all}`;'],
  ['typescript/restrict-plus-operands', `export const run = (n: number, big: bigint) => n + big;`],
  ['typescript/no-redundant-type-constituents', `export type Run = unknown | string;`],
  ['typescript/only-throw-error', `export const run = () => { throw 'no'; };`],
  ['typescript/prefer-promise-reject-errors', `export const run = () => Promise.reject('no');`],
  ['typescript/unbound-method', `class A { run() { return this; } }\nexport const { run } = new A();`],
  [
    'typescript/switch-exhaustiveness-check',
    `export function run(word: 'a' | 'b') { switch (word) { case 'a': return 1; } return 2; }`,
  ],
  ['typescript/consistent-type-imports', `import { Thing } from './thing.js';\nexport type T = Thing;`],
  [
    'typescript/no-import-type-side-effects',
    `import { type Thing } from './thing.js';\nexport type T = Thing;`,
  ],
  ['typescript/no-empty-object-type', `export type Run = {};`],
  ['typescript/no-namespace', `export namespace Run { export const a = 1; }`],
  ['typescript/no-require-imports', `import thing = require('./thing.js');\nexport const run = thing;`],
  ['typescript/ban-ts-comment', `// @ts-ignore\nexport const run: string = 1;`],

  // The language
  ['no-unused-vars', `const unused = 1;\nexport {};`],
  ['no-useless-assignment', `export function run(n: number) { let a = 1; a = n; return a; }`],
  ['preserve-caught-error', `export function run() { try { void 0; } catch (e) { throw new Error('no'); } }`],
  ['prefer-const', `let a = 1;\nexport const run = () => a;`],
  ['no-var', `export var run = 1;`],
  ['no-empty', `export function run() { if (run.length) {} }`],
  ['no-fallthrough', `export function run(n: number) { switch (n) { case 1: n = 2; default: return n; } }`],
  [
    'no-case-declarations',
    `export function run(n: number) { switch (n) { default: let a = n; return ++a; } }`,
  ],
  ['no-prototype-builtins', `export const run = (all: object) => all.hasOwnProperty('a');`],
  ['no-debugger', `debugger;\nexport {};`],
  ['no-control-regex', `export const run = /\\x00/;`],
  ['eqeqeq', `export const run = (n: number) => n == 1;`],
  ['no-console', `console.log('run');\nexport {};`],
  ['rende/no-utc-day', `export const run = (row: { emitido_em: string }) => row.emitido_em.slice(0, 10);`],
  ['rende/no-utc-day', `export const run = (inicio: Date) => inicio.toISOString().slice(0, 7);`],
  [
    'rende/no-utc-day',
    `export const run = (clock: { now: () => Date }) => clock.now().toISOString().split('T');`,
  ],
  ['rende/no-utc-day', `export const run = () => new Date().toISOString().slice(0, 10);`],
  ['no-warning-comments', `// TODO\nexport {};`],
  ['no-warning-comments', `// fixme: run\nexport {};`],
];

const cases: Case[] = [
  ...broken.map(([rule, text], at) => ({
    file: `backend/platform/rules/broken-${at}.ts`,
    text,
    breaks: rule,
  })),
  { file: 'backend/platform/rules/self.ts', text: `import './self.js';`, breaks: 'import/no-self-import' },
  { file: 'backend/platform/rules/thing.ts', text: `export class Thing {}` },
  {
    file: 'backend/platform/rules/injected.ts',
    text: `import { Thing } from './thing.js';
     const injectable = () => (made: new (thing: Thing) => object) => { void made; };
     @injectable()
     export class Made { constructor(readonly thing: Thing) {} }`,
  },
  {
    file: 'backend/platform/rules/legal.ts',
    text: `${later}
     export const run = (_unused: number, text: string | null) => { if (text == null) void later(); };
     export const days = (day: string, at: number) => [day.slice(0, 7), new Date(at).toISOString().slice(0, 10)];`,
  },
  { file: 'infra/says.mjs', text: `console.log(process.pid, URL.name);` },
  { file: 'infra/knows-not.mjs', text: `console.log(window.name);`, breaks: 'no-undef' },
  {
    file: 'backend/platform/rules/any.spec.ts',
    text: `declare const any: ReturnType<typeof JSON.parse>;\nexport const all = { any };`,
  },
  ...['describe', 'it', 'test'].map((word) => ({
    file: `backend/platform/rules/only-${word}.spec.ts`,
    text: `declare const ${word}: { only: () => void };\n${word}.only();\nexport {};`,
    breaks: 'no-restricted-properties',
  })),

  // No kind of comment disables a rule.
  ...[
    `/* oxlint-disable */\ndebugger;`,
    `debugger; // oxlint-disable-line`,
    `// oxlint-disable-next-line no-debugger\ndebugger;`,
    `/* eslint-disable no-debugger */`,
  ].map((text, at) => ({
    file: `backend/platform/rules/off-${at}.ts`,
    text: `${text}\nexport {};`,
    breaks: UNREADABLE,
  })),
];

const react = `import { useEffect, useMemo, useRef, useState } from 'react';`;

/** For each rule of React, code that breaks it in a component. */
const brokenOfReact: [rule: string, text: string][] = [
  [
    'react/rules-of-hooks',
    `export function Part({ on }: { on: boolean }) { if (on) useState(1); return null; }`,
  ],
  [
    'react/exhaustive-deps',
    `export function Part({ on }: { on: boolean }) { useEffect(() => { document.title = String(on); }, []); return null; }`,
  ],
  [
    'react/set-state-in-effect',
    `export function Part() { const [n, setN] = useState(0); useEffect(() => { setN(1); }, []); return n; }`,
  ],
  [
    'react/set-state-in-render',
    `export function Part() { const [n, setN] = useState(0); setN(1); return n; }`,
  ],
  ['react/refs', `export function Part() { const at = useRef(0); return at.current; }`],
  ['react/purity', `export function Part() { return <b>{Math.random()}</b>; }`],
  [
    'react/immutability',
    `export function Part({ all }: { all: { n: number } }) { all.n = 1; return <b>{all.n}</b>; }`,
  ],
  ['react/static-components', `export function Part() { const Inner = () => <b />; return <Inner />; }`],
  ['react/globals', `let count = 0;\nexport function Part() { count += 1; return <b>{count}</b>; }`],
  [
    'react/error-boundaries',
    `const Bad = () => <b />;\nexport function Part() { try { return <Bad />; } catch { return null; } }`,
  ],
  [
    'react/void-use-memo',
    `export function Part({ n }: { n: number }) { useMemo(() => { void n; }, [n]); return n; }`,
  ],
  [
    'react/use-memo',
    `export function Part({ n }: { n: number }) { return useMemo((m: number) => n + m, [n]); }`,
  ],
];
for (const [at, [rule, text]] of brokenOfReact.entries()) {
  cases.push({ file: `frontend/src/ui/broken-${at}.tsx`, text: `${react}\n${text}`, breaks: rule });
}

let rulesBroken: (file: string) => string[];

beforeAll(async () => {
  rulesBroken = await lint(cases);
});

describe('the rules', () => {
  test.each(cases.filter(({ breaks }) => !breaks))('$file is allowed', ({ file }) => {
    expect(rulesBroken(file)).toEqual([]);
  });

  test.each(cases.filter(({ breaks }) => breaks))('$breaks: $text', ({ file, breaks }) => {
    expect(rulesBroken(file)).toContain(breaks);
  });
});
