import { describe, expect, it } from '@jest/globals';
import type { Waiting } from '../../lib/outbox.js';
import { outcomeOf, rewriteOf, sentWords } from './pending-words.js';

const session = 'A sessão de Ana Souza, 26/11/2026, 7:00,';
const write = (effect: string, title = '') => ({ effect, title });

describe('what was sent', () => {
  it('is named if it is a single item', () => {
    expect(sentWords([write('complete', session)])).toBe(`${session} foi marcada como feita.`);
    expect(sentWords([write('move', session)])).toBe(`${session} foi remarcada.`);
    expect(sentWords([write('own-cancel', 'A aula de 26/11/2026, 7:00,')])).toBe(
      'A aula de 26/11/2026, 7:00, foi desmarcada.',
    );
    expect(sentWords([write('renew', 'A renovação de Ana Souza')])).toBe(
      'A renovação de Ana Souza foi feita.',
    );
  });

  it('is counted by kind if there are several items', () => {
    expect(
      sentWords(
        ['complete', 'book', 'cancel', 'move', 'renew', 'record', 'complete-task'].map((effect) =>
          write(effect),
        ),
      ),
    ).toBe('7 alterações enviadas: 4 em sessões, 1 em créditos, 1 em lançamentos e 1 em tarefas.');
  });
});

describe('an edit that waits', () => {
  const edit = (effect: string, title: string, body: object, more: Partial<Waiting> = {}): Waiting => ({
    key: 'k',
    method: 'PATCH',
    path: '/',
    at: 1,
    userId: 'u',
    tenantId: 't',
    subject: 'one',
    effect,
    title,
    body,
    ...more,
  });

  it('is described in the grammatical gender of the edited item', () => {
    expect(outcomeOf(edit('edit-students', 'O aluno Ana', {}))).toBe('será atualizado.');
    expect(outcomeOf(edit('edit-policy', 'A política de Parque', {}))).toBe('será atualizada.');
    expect(sentWords([edit('edit-plans', 'O plano Mensal', {})])).toBe('O plano Mensal foi atualizado.');
  });

  it.each<[string, object, object]>([
    [
      'edit-plans',
      { valor: 40_000, creditos: 8, validade_dias: null, descricao: null, is_active: false },
      {
        to: '/planos?editar=one',
        draft: 'plano.one',
        values: { valor: '400,00', creditos: '8', validade_dias: '', descricao: '', is_active: false },
      },
    ],
    [
      'edit-locations',
      { nome: 'Parque', cep: '01310100', endereco: null },
      {
        to: '/locais?editar=one',
        draft: 'local.one',
        values: { nome: 'Parque', cep: '01310-100', endereco: '' },
      },
    ],
    [
      'edit-policy',
      { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true },
      {
        to: '/ajustes/politicas?editar=one',
        draft: 'politica.one',
        values: { cancel_limite_horas: '12', taxa_percent: '50', queima_credito: true },
      },
    ],
    [
      'edit-session',
      { inicio: '2026-11-26T10:00:00.000Z', fim: '2026-11-26T11:00:00.000Z', observacoes: null },
      {
        to: '/agenda?dia=2026-11-26&sessao=one',
        draft: 'sessao.one',
        values: { data: '2026-11-26', inicio: '07:00', fim: '08:00', observacoes: '' },
      },
    ],
  ])('of the kind %s returns to its form with its values', (effect, body, rewrite) => {
    expect(rewriteOf(edit(effect, '', body), 'America/Sao_Paulo')).toEqual(rewrite);
  });
});
