import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';

const root = new URL('../../', import.meta.url).href;
const globals = [
  'afterAll',
  'afterEach',
  'beforeAll',
  'beforeEach',
  'describe',
  'expect',
  'it',
  'jest',
  'test',
];

/**
 * Resolves imports to TypeScript, and to cheap hashes of passwords; those of the backend to the built one, unless the test
 * file lies beside its sources. Modules under `test/` and test files are new for each test file.
 */
export function resolve(specifier, context, next) {
  const parent = new URL(context.parentURL ?? root);
  const { search: query } = parent;
  if (specifier === '@jest/globals') return { url: `jest:globals${query}`, shortCircuit: true };
  const isSource = /\.tsx?$/.test(parent.pathname);
  if (specifier === '@node-rs/argon2' && !(isSource && parent.pathname.includes('/backend/')))
    return { url: `${root}test/support/quick-argon2.cjs`, shortCircuit: true };
  if (!specifier.startsWith('.') || !(isSource || query)) return next(specifier, context);
  const url = new URL(specifier, parent);
  if (url.href.startsWith(`${root}backend/`) && query.endsWith('built'))
    return next(url.href.replace(root, `${root}dist/`), context);
  const isOwn = url.href.startsWith(`${root}test/`);
  for (const extension of ['.ts', '.tsx']) {
    const source = url.href.replace(/\.js$/, extension);
    if (existsSync(fileURLToPath(source))) return { url: source + (isOwn ? query : ''), shortCircuit: true };
  }
  return next(isOwn ? url.href + query : url.href, context);
}

export async function load(url, context, next) {
  if (url.startsWith('jest:globals')) {
    return {
      format: 'module',
      source: `export const { ${globals.join(', ')} } = jestGlobals;`,
      shortCircuit: true,
    };
  }
  const { pathname } = new URL(url);
  if (!/\.tsx?$/.test(pathname)) return next(url, context);
  const filename = fileURLToPath(url);
  if (!compiled.has(filename)) compiled.set(filename, await compile(filename));
  return { format: 'module', source: compiled.get(filename), shortCircuit: true };
}

/** The modules that many test files import are compiled once per worker. */
const compiled = new Map();

async function compile(filename) {
  const { code } = await transform(await readFile(filename, 'utf8'), { filename, sourceMaps: false });
  return code;
}
