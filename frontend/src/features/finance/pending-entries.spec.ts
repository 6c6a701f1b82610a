import { describe, expect, it } from '@jest/globals';
import { localName, type Waiting } from '../../lib/outbox.js';
import { editEntry, entryTitle, pendingEntries } from './pending-entries.js';

const body = {
  tipo: 'receita',
  descricao: 'Pacote Bruno',
  valor: 32_000,
  metodo_pagamento: 'pix',
  data: '2026-11-26',
};
const entry = (key: string, more: Partial<Waiting> = {}): Waiting => ({
  key,
  method: 'POST',
  path: '/transactions',
  body,
  subject: localName(key),
  makes: true,
  effect: 'record',
  title: '',
  at: 1,
  userId: 'rafaela',
  tenantId: 'studio',
  ...more,
});
const shown = (...writes: Waiting[]) => pendingEntries(writes, '2026-11').map(({ id }) => id);

describe('entries in the outbox', () => {
  it('are listed in their month, the latest first', () => {
    const before = entry('before', { body: { ...body, data: '2026-10-31' } });
    expect(shown(entry('first'), before, entry('second'))).toEqual(['local-second', 'local-first']);
  });

  it('are not listed if they were refused or undone', () => {
    const held = { why: 'refused', message: 'Use no máximo R$ 100.000.000,00', code: 'validation' } as const;
    const back = entry('back', { subject: localName('first'), makes: false, effect: 'reverse' });
    expect(shown(entry('refused', { held }), entry('first'), back)).toEqual([]);
  });

  it('open in the form with all values', () => {
    expect(editEntry(entry('first'))).toEqual({
      to: '/financeiro?novo=lancamento',
      draft: 'lancamento',
      values: { ...body, valor: '320,00' },
    });
    expect(entryTitle(body)).toBe('O lançamento “Pacote Bruno”, R$\u00a0320,00,');
  });
});
