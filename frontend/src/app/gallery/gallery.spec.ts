import { expect, it } from 'vitest';

const components = Object.values(
  import.meta.glob<string>('../../ui/*.tsx', { query: '?raw', import: 'default', eager: true }),
);
/** The page, and the frame that it stands in as every page does. */
const page = Object.values(
  import.meta.glob<string>(['./*.tsx', '../app.tsx'], { query: '?raw', import: 'default', eager: true }),
);

const exported = (source: string) =>
  [...source.matchAll(/^export (?:default )?(?:async )?(?:function|const|class) ([A-Z]\w*)/gm)].map(
    ([, name]) => name!,
  );
const shows = (source: string, name: string) => new RegExp(`<${name}\\b`).test(source);

/** What the page shows, and what those show in turn: a calendar in its field. */
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

it('shows every component of ui on /dev/ui', () => {
  const all = components.flatMap(exported);
  expect(all.length).toBeGreaterThan(40);
  const names = shown();
  expect(all.filter((name) => !names.has(name))).toEqual([]);
});
