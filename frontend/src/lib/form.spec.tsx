import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { isCheckedOnLeaving } from './form.js';

/** Maps each field with a format to the field name that follows it in the source. */
const FIELDS = /<(?:Cpf|Cep|Date|DateText|Time|Money)Field\b[^<]*?getInputProps\(['`]([^'`]+)/g;

it('every field with a format is validated on blur', () => {
  const sources = readdirSync('frontend/src/features', { recursive: true, encoding: 'utf8' });
  const paths = sources
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => [...readFileSync(`frontend/src/features/${file}`, 'utf8').matchAll(FIELDS)])
    .map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths).toContain('horarios.${at}.end_time');
  expect([...new Set(paths)].filter((path) => !isCheckedOnLeaving(path))).toEqual([]);
});
