import { describe, expect, it } from '@jest/globals';
import type { Waiting } from './outbox.js';
import { changedBy, pendingOver } from './pending-over-server.js';

const write = (subject: string, effect: string, more: Partial<Waiting> = {}): Waiting => ({
  ...{ key: subject + effect, method: 'POST', path: '/', topics: [], subject, effect, title: '' },
  ...{ at: 1, userId: 'rafaela', tenantId: 'studio' },
  ...more,
});
const shown = (...writes: Waiting[]) =>
  pendingOver([{ id: 'ana', words: 'of the server' }], writes, {
    makes: ({ subject, effect }) => (effect === 'add' ? { id: subject, words: 'made here' } : null),
    changes: (item, { effect }) => (effect === 'remove' ? null : { ...item, words: effect }),
  }).map(({ id, words }) => `${id}: ${words}`);

describe('a list of the server with what was done on this device', () => {
  it('shows an item as the writes to it leave it, one after the other', () => {
    expect(shown(write('ana', 'done'), write('ana', 'open'))).toEqual(['ana: open']);
    const letters = (item: { id: string }, { effect }: Waiting) => ({ id: item.id + effect });
    expect(changedBy({ id: '' }, [write('', 'a'), write('', 'b')], letters)).toEqual({ id: 'ab' });
  });

  it('ends with what was made here, as later writes left it', () => {
    const made = write('local-bia', 'add', { makes: true });
    expect(shown(made)).toEqual(['ana: of the server', 'local-bia: made here']);
    expect(shown(made, write('local-bia', 'done'))).toEqual(['ana: of the server', 'local-bia: done']);
    expect(shown(write('local-caio', 'other', { makes: true }))).toEqual(['ana: of the server']);
  });

  it('is without what was removed, here or on the server', () => {
    const made = write('local-bia', 'add', { makes: true });
    expect(shown(write('ana', 'remove'), made, write('local-bia', 'remove'))).toEqual([]);
  });

  it('is as the server says where a write was refused', () => {
    const held = { why: 'refused', message: 'Não encontrado', code: '' } as const;
    expect(shown(write('ana', 'remove', { held }))).toEqual(['ana: of the server']);
  });
});
