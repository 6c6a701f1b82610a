import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** The source of each component file, by file name. */
const sources = ['app', 'features', 'parts', 'ui'].flatMap((folder) =>
  readdirSync(`frontend/src/${folder}`, { recursive: true })
    .map((file) => `frontend/src/${folder}/${String(file)}`)
    .filter((file) => /(?<!\.spec)\.tsx$/.test(file))
    .map((file) => [file, readFileSync(file, 'utf8')] as const),
);

it('every lazily loaded part of the application waits for a network', () => {
  const count = (source: string, pattern: RegExp) => source.match(pattern)?.length ?? 0;
  const lazily = sources.filter(([, source]) => count(source, /\blazy\(/g) > 0);
  expect(lazily.length).toBeGreaterThan(8);
  // Toasts and live updates are loaded when the page is idle; no user waits for them.
  const hasty = lazily.filter(
    ([file, source]) =>
      !/\/app\/(app|member-area)\.tsx$/.test(file) &&
      count(source, /\blazy\(/g) !== count(source, /\bwhenReachable\(/g),
  );
  expect(hasty.map(([file]) => file)).toEqual([]);
});
