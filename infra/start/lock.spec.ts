import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

interface Locked {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
) as { packages: Record<string, Locked> };

// npm omits packages that the registry did not offer when the lock was written, and `npm ci` then fails on every platform.
it('package-lock.json has each optional package of each platform, with its version', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        !packages[`${place}/node_modules/${name}`]?.version && !packages[`node_modules/${name}`]?.version,
    ),
  );
  expect(missing).toEqual([]);
});
