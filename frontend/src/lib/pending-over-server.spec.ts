import { describe, expect, it } from '@jest/globals';
import type { Waiting } from './outbox.js';
import { changedBy, pendingOver } from './pending-over-server.js';

const write = (subject: string, effect: string, more: Partial<Waiting> = {}): Waiting => ({
  key: subject + effect,
  method: 'POST',
  path: '/',
  subject,
  effect,
  title: '',
  at: 1,
  userId: 'rafaela',
  tenantId: 'studio',
  ...more,
});
const shown = (...writes: Waiting[]) =>
  pendingOver([{ id: 'ana', words: 'of the server' }], writes, {
    makes: ({ subject, effect }) => (effect === 'add' ? { id: subject, words: 'made here' } : null),
    changes: (item, { effect }) => (effect === 'remove' ? null : { ...item, words: effect }),
  }).map(({ id, words }) => `${id}: ${words}`);

describe("the server's list with queued writes", () => {
  it('shows an item after all writes to it', () => {
    expect(shown(write('ana', 'done'), write('ana', 'open'))).toEqual(['ana: open']);
    const letters = (item: { id: string }, { effect }: Waiting) => ({ id: item.id + effect });
    expect(changedBy({ id: '' }, [write('', 'a'), write('', 'b')], letters)).toEqual({ id: 'ab' });
  });

  it('ends with items created on this device, after later writes to them', () => {
    const made = write('local-bia', 'add', { makes: true });
    expect(shown(made)).toEqual(['ana: of the server', 'local-bia: made here']);
    expect(shown(made, write('local-bia', 'done'))).toEqual(['ana: of the server', 'local-bia: done']);
    expect(shown(write('local-caio', 'other', { makes: true }))).toEqual(['ana: of the server']);
  });

  it('does not contain items removed on this device or on the server', () => {
    const made = write('local-bia', 'add', { makes: true });
    expect(shown(write('ana', 'remove'), made, write('local-bia', 'remove'))).toEqual([]);
  });

  it('shows the state of the server if a write was refused', () => {
    const held = { why: 'refused', message: 'Não encontrado', code: '' } as const;
    expect(shown(write('ana', 'remove', { held }))).toEqual(['ana: of the server']);
  });
});
