import { expect, it } from 'vitest';

const sources = Object.entries(
  import.meta.glob<string>('../{app,features,ui}/**/*.tsx', {
    query: '?raw',
    import: 'default',
    eager: true,
  }),
);

it('waits for a network with every part of the application that comes later', () => {
  const count = (source: string, pattern: RegExp) => source.match(pattern)?.length ?? 0;
  const lazily = sources.filter(([, source]) => count(source, /\blazy\(/g) > 0);
  expect(lazily.length).toBeGreaterThan(8);
  // Toasts come once the page is idle; nobody waits for them.
  const hasty = lazily.filter(
    ([file, source]) =>
      !file.endsWith('/app/app.tsx') &&
      count(source, /\blazy\(/g) !== count(source, /\blazy\(\(\) => whenReachable\(/g),
  );
  expect(hasty.map(([file]) => file)).toEqual([]);
});
