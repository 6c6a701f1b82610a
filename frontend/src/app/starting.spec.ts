import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { studentAreas } from './shell/areas.js';

it('index.html has the same labels as the student’s navigation', () => {
  const html = readFileSync('frontend/index.html', 'utf8');
  const [, places = ''] = /<div class="boot-places">([\s\S]*?)<\/div>/.exec(html)!;
  expect([...places.matchAll(/<span>([^<]*)</g)].map(([, label]) => label)).toEqual(
    studentAreas('').map(({ label }) => label),
  );
});
