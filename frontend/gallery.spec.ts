import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** The sources of the components in a folder. */
const sourcesIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'));

const components = sourcesIn('frontend/src/ui');
/** The gallery page, and the frame that every page has. */
const page = [...sourcesIn('frontend/src/app/gallery'), readFileSync('frontend/src/app/app.tsx', 'utf8')];

const exported = (source: string) =>
  [...source.matchAll(/^export (?:default )?(?:async )?(?:function|const|class) ([A-Z]\w*)/gm)].map(
    ([, name]) => name!,
  );
const shows = (source: string, name: string) => new RegExp(`<${name}\\b`).test(source);

/** The components that the page renders, and those that these render in turn, such as a calendar in its field. */
function shown(): Set<string> {
  const names = new Set<string>();
  const sources = [...page];
  for (const source of sources)
    for (const component of components)
      for (const name of exported(component))
        if (!names.has(name) && shows(source, name)) {
          names.add(name);
          sources.push(component);
        }
  return names;
}

/** Whole pages that several features share have their own addresses, which the test that visits every page opens. */
const isWholePage = (source: string) => shows(source, 'Page');

it('shows every component of ui on /dev/ui', () => {
  const all = components.filter((source) => !isWholePage(source)).flatMap(exported);
  expect(all.length).toBeGreaterThan(40);
  const names = shown();
  expect(all.filter((name) => !names.has(name))).toEqual([]);
});
