import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from '@jest/globals';

const read = (file: string) => readFileSync(file, 'utf8');
const files = ['frontend/src', 'frontend/booking'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
);
const sheets = files.filter((file) => file.endsWith('.module.css'));

/** The classes that files take from a style sheet; `*` for one whose name is computed. */
const taken = new Map(sheets.map((sheet) => [sheet, new Set<string>()]));
for (const file of files.filter((each) => /\.tsx?$/.test(each))) {
  const source = read(file);
  const code = source.replaceAll(/^import [^;]*;$/gm, '');
  for (const [, name, sheet] of source.matchAll(/import (\w+) from '(\..+\.module\.css)'/g))
    for (const [, own] of code.matchAll(new RegExp(`(?<![./])\\b${name}\\b(?:\\.(\\w+))?`, 'g')))
      taken.get(join(dirname(file), sheet!))!.add(own ?? '*');
}

// A missing class is undefined, which no type and no build finds.
it.each(sheets)('%s has each class that is taken from it, and no other', (sheet) => {
  const style = read(sheet).replaceAll(/\/\*[^]*?\*\/|'[^']*'/g, '');
  const classes = [...style.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name!);
  const composed = [...style.matchAll(/composes: (\w+);/g)].map(([, name]) => name!);
  const wanted = new Set([...taken.get(sheet)!, ...composed]);
  const isComputed = wanted.delete('*');
  expect([...wanted].filter((name) => !classes.includes(name))).toEqual([]);
  if (!isComputed) expect(classes.filter((name) => !wanted.has(name))).toEqual([]);
});
