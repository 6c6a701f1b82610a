import { expect, it } from '@jest/globals';
import { safePath } from './safe-path.js';

const SITE = 'https://rende.example';

it.each(['/', '/agenda?dia=2026-11-20#10h', '/convite/abc', '/x//evil.example', '/@evil.example'])(
  'allows %j as the destination after signing in',
  (wanted) => {
    expect(safePath(wanted)).toBe(wanted);
    expect(new URL(wanted, SITE).origin).toBe(SITE);
  },
);

it.each([
  null,
  '',
  'agenda',
  '//evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r\\evil.example',
  ' //evil.example',
  'https://evil.example',
  'javascript:alert(1)',
])('replaces %j by the start page', (wanted) => {
  expect(safePath(wanted)).toBe('/');
});
