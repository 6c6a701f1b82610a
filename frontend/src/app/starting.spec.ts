import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { studentAreas } from './shell/areas.js';

it('has index.html name the student’s places as the navigation does that comes in their place', () => {
  const html = readFileSync('frontend/index.html', 'utf8');
  const [, places = ''] = /<div class="boot-places">([\s\S]*?)<\/div>/.exec(html)!;
  expect([...places.matchAll(/<span>([^<]*)</g)].map(([, label]) => label)).toEqual(
    studentAreas('').map(({ label }) => label),
  );
});
