import { plainLetters } from '../../platform/plain-letters.api.js';
import { isReserved } from './slugs.api.js';

const MAX_LENGTH = 40;

/** A name as part of a public link: `José D'Ávila` becomes `jose-d-avila`. Never empty. */
export function slugOf(name: string): string {
  const slug = plainLetters(name)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, MAX_LENGTH)
    .replace(/-+$/, '');
  return slug === '' ? 'personal' : slug;
}

/** Slugs to try one after another; the last one contains the tenant's id, so it is unique. */
export function slugsFor(name: string, tenantId: string): string[] {
  const slug = slugOf(name);
  return [
    ...(isReserved(slug) ? [] : [slug]),
    `${slug}-${tenantId.slice(0, 4)}`,
    `${slug}-${tenantId.replaceAll('-', '')}`,
  ];
}
