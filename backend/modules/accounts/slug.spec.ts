import { describe, expect, it } from '@jest/globals';
import { slugOf, slugsFor } from './slug.js';

describe('a slug', () => {
  it.each([
    ['Ana Souza', 'ana-souza'],
    ["  José D'Ávila Júnior ", 'jose-d-avila-junior'],
    ['Conceição & Filhos', 'conceicao-filhos'],
    ['João 2', 'joao-2'],
    ['Łukasz Straße', 'lukasz-strasse'],
    ['李小龍', 'personal'],
    ['---', 'personal'],
  ])('of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });

  it('is at most 40 characters and never ends in a dash', () => {
    expect(slugOf(`${'a'.repeat(39)} b`)).toBe('a'.repeat(39));
    expect(slugOf('a'.repeat(50))).toBe('a'.repeat(40));
  });

  it('has alternatives that begin with it and end in the tenant', () => {
    expect(slugsFor('Ana Souza', '3f2a6c1e-0000-4000-8000-00000000beef')).toEqual([
      'ana-souza',
      'ana-souza-3f2a',
      'ana-souza-3f2a6c1e00004000800000000000beef',
    ]);
  });
});
