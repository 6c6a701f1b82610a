import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

it('each metric of an alert is one that the server has, if it is its own, and has a line about what to do', () => {
  const named = new Set(
    [...read('alerts.yml').matchAll(/\b(?:rende|patroni)_\w+/g)].map(([name]) =>
      name.replace(/_(bucket|count)$/, ''),
    ),
  );
  const has =
    read('../../backend/platform/ops/metrics.ts') + read('../../backend/platform/ops/ops.module.ts');
  const told = read('../../docs/operations.md').split('## Troubleshooting')[1]!;
  const isOwn = (name: string) => name.startsWith('rende_');
  expect([...named].filter((name) => isOwn(name) && !has.includes(`name: '${name}'`))).toEqual([]);
  expect([...named].filter((name) => !told.includes(`\`${name}\``))).toEqual([]);
});
