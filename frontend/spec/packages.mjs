// Bundles the packages of the screens for their tests: each test file loads them anew, and Mantine alone has six hundred modules.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { rolldown } from 'rolldown';

const packages = [
  '@mantine/core',
  '@mantine/dates',
  '@mantine/form',
  '@mantine/hooks',
  '@supabase/auth-js',
  '@tanstack/react-query',
  '@testing-library/react',
  '@testing-library/user-event',
  'react-router-dom',
  'sonner',
  'zod/mini',
  'zod/v4/core',
  'zustand',
];
const fileOf = (name) => name.replaceAll('/', '.');

const parent = 'dist/packages';
const hash = createHash('sha256');
for (const source of ['package-lock.json', 'frontend/spec/packages.mjs']) hash.update(readFileSync(source));
const folder = `${parent}/${hash.digest('hex')}`;

/** For Jest: where it finds them instead. */
export const bundled = Object.fromEntries(
  packages.map((name) => [`^${name}$`, `<rootDir>/${folder}/${fileOf(name)}.mjs`]),
);

/** Runs before the tests of components. */
export default async function bundle() {
  if (existsSync(folder)) return;
  await rm(parent, { recursive: true, force: true });
  const made = await rolldown({
    input: Object.fromEntries(packages.map((name) => [fileOf(name), name])),
    platform: 'browser',
    // They are also loaded by others, and must be there once.
    external: /^(dayjs|react|react-dom)($|\/)/,
    logLevel: 'silent',
    // Says that it is in development, whatever the environment; in a test, text areas are not measured at each change.
    plugins: [
      {
        name: 'mantine-in-a-test',
        load: {
          filter: { id: /mantine.+get-env\.mjs$/ },
          handler: () => "export const getEnv = () => 'test';",
        },
      },
    ],
  });
  await made.write({
    dir: `${folder}.part`,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  });
  await rename(`${folder}.part`, folder);
}
