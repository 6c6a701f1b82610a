import { describe, expect, it } from '@jest/globals';
import type { StatementLine } from '../credits/credits.api.js';
import {
  composeDossier,
  type DossierRows,
  type DossierScope,
  type PastEvent,
  withoutNotes,
} from './dossier.facts.js';

const [tenant, marina, ana] = ['tenant', 'marina', 'ana'];
/** Three hours behind UTC. */
const zone = 'America/Sao_Paulo';

const scope: DossierScope = {
  zone,
  from: new Date('2026-11-01T03:00:00Z'),
  to: new Date('2026-12-01T03:00:00Z'),
  now: new Date('2026-12-02T12:00:00Z'),
  today: '2026-12-02',
  tenantId: tenant,
  userId: marina,
  words: ({ type, data }, of) => `${type}${of === undefined ? '' : ` of ${of}`} ${JSON.stringify(data)}`,
};
const nothing: DossierRows = {
  person: { nome: 'Ana', personal: 'Marina Prado', eles: [ana] },
  contracts: [],
  sessions: [],
  lines: [],
  charges: [],
  payments: [],
  events: [],
};
const compose = (rows: Partial<DossierRows>) => composeDossier({ ...nothing, ...rows }, scope);

let position = 0;
const event = (type: string, em: string, data: object = {}, more: Partial<PastEvent> = {}): PastEvent => {
  position += 1;
  return {
    position,
    type,
    data,
    recorded_at: new Date(em),
    subject: 'session:s',
    by: marina,
    user_agent: null,
    ...more,
  };
};
const session = (more: Partial<DossierRows['sessions'][number]> = {}) => ({
  id: 's',
  inicio: new Date('2026-11-10T10:00:00Z'),
  status: 'feita',
  deleted: false,
  credito: 'usado',
  taxa: 0,
  location_id: 'parque',
  local: 'Parque',
  ...more,
});
const about = { session_id: 's', student_id: ana, inicio: '2026-11-10T10:00:00Z' };
const late = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };

describe('a session', () => {
  const cancelled = (em: string, data: object) =>
    event('SessionCancelled', em, { ...about, motivo: 'aluno_fora_do_prazo', politica: late, ...data });
  const cellOf = async (rows: Partial<DossierRows>) => (await compose(rows)).sessoes.linhas[0]![2];

  it('says how long before it was cancelled, what that cost, and by which rule', async () => {
    const set = event('CancellationPolicySet', '2026-10-01T12:00:00Z', late, { subject: 'policy:parque' });
    const sessions = [session({ status: 'cancelada', taxa: 4_500 })];
    const facts = await compose({ sessions, events: [set, cancelled('2026-11-10T00:59:00Z', {})] });
    expect(facts.regras).toEqual([
      [
        '1',
        'Parque',
        'Até 24 h antes sem custo; depois, desconta 1 crédito e cobra taxa de 50%',
        'desde 01/10/26 9:00',
      ],
    ]);
    expect(facts.sessoes.linhas[0]![2]).toBe(
      'Cancelada\n9 h antes\n1 crédito e taxa de R$\u00a045,00, regra nº 1',
    );
    expect(facts.sessoes).toMatchObject({ resumo: '1 sessão: 1 cancelada.', canceladas: 1 });
  });

  it('goes by the rule that was in force, whatever was set later', async () => {
    const before = event('CancellationPolicySet', '2026-11-02T12:00:00Z', late, { subject: 'policy:parque' });
    const other = { ...late, taxa_percent: 10 };
    const after = event('CancellationPolicySet', '2026-11-20T12:00:00Z', other, { subject: 'policy:parque' });
    const sessions = [session({ status: 'cancelada' })];
    const facts = await compose({ sessions, events: [before, cancelled('2026-11-09T12:00:00Z', {}), after] });
    expect(facts.regras.map(([n, , , since]) => [n, since])).toEqual([
      ['1', 'regra padrão do Rende'],
      ['2', 'desde 02/11/26 9:00'],
      ['3', 'desde 20/11/26 9:00'],
    ]);
    expect(facts.sessoes.linhas[0]![2]).toContain('regra nº 2');
  });

  it('that was forgiven says so, and one that the trainer cancelled needs no notice', async () => {
    const sessions = [session({ status: 'cancelada', credito: 'nenhum' })];
    const free = { politica: null };
    expect(await cellOf({ sessions, events: [cancelled('2026-11-10T08:00:00Z', free)] })).toBe(
      'Cancelada\n2 h antes\nperdoada',
    );
    const own = { ...free, motivo: 'personal' };
    expect(await cellOf({ sessions, events: [cancelled('2026-11-10T08:00:00Z', own)] })).toBe(
      'Cancelada\nsem custo',
    );
  });

  it('tells who did what and when, with its record, and the reminders that were sent', async () => {
    const mail = { ...about, por_email: true };
    const events = [
      event('SessionBooked', '2026-11-05T12:00:00Z', about, { by: ana, position: 7 }),
      event('ReminderPrepared', '2026-11-09T21:00:00Z', { ...about, por_email: false }, { by: tenant }),
      event('ReminderPrepared', '2026-11-09T21:00:00Z', mail, { by: tenant, position: 9 }),
      event('ReminderConfirmed', '2026-11-09T22:00:00Z', about, { by: ana, position: 10 }),
      event('SessionCompleted', '2026-11-10T11:00:00Z', about, { by: 'bia', position: 11 }),
    ];
    const facts = await compose({ sessions: [session()], events });
    expect(facts.sessoes.linhas[0]!.slice(3)).toEqual([
      '05/11/26 9:00 Aluno: agendou [7]\n10/11/26 8:00 Outra pessoa: concluiu [11]',
      '09/11/26 18:00 e-mail [9]\n09/11/26 19:00 confirmou [10]',
    ]);
    expect(facts.fontes.at(-1)!.registros.map(({ posicao }) => posicao)).toEqual([7, 9, 10, 11]);
    expect(facts.mostrada).toEqual([expect.stringContaining('sessão nº 2')]);
  });

  it('tells what became of a reminder that Rende sent by WhatsApp, and what was answered', async () => {
    const message = { student_id: ana, tipo: 'lembrete', subject_id: 'r', sobre_id: 's' };
    const reported = (estado: string) => ({ ...message, estado, motivo: null });
    const events = [
      event('ReminderSent', '2026-11-09T21:00:00Z', about, { by: tenant, position: 21 }),
      ...['entregue', 'lida'].map((estado, n) =>
        event('WhatsAppMessageReported', '2026-11-09T21:01:00Z', reported(estado), { position: 22 + n }),
      ),
      event('WhatsAppAnswered', '2026-11-09T21:02:00Z', { ...about, texto: 'Ok' }, { position: 24 }),
    ];
    const facts = await compose({ sessions: [session()], events });
    expect(facts.sessoes.linhas[0]!.at(-1)).toBe(
      '09/11/26 18:00 WhatsApp, pelo Rende [21]\n09/11/26 18:01 entregue [22]\n09/11/26 18:01 lido [23]\n09/11/26 18:02 respondeu [24]',
    );
    expect(facts.mensagens).toEqual([]);
    const ofCharge = { ...reported('lida'), tipo: 'cobranca', sobre_id: 'c' };
    const others = await compose({
      sessions: [session()],
      events: [
        event('WhatsAppMessageReported', '2026-11-12T21:01:00Z', ofCharge, { by: tenant }),
        event('NudgeSent', '2026-11-13T12:00:00Z', { student_id: ana, motivo: 'aniversario' }),
      ],
    });
    expect(others.mensagens).toHaveLength(2);
  });
});

it("nothing is told of a session while it was another student's", async () => {
  const events = [
    event('SessionBooked', '2026-11-05T12:00:00Z', { ...about, student_id: 'bia' }),
    event('SessionChangeRequested', '2026-11-06T12:00:00Z', { ...about, student_id: 'bia', motivo: 'gripe' }),
    event('SessionChanged', '2026-11-07T12:00:00Z', { ...about, antes: { student_id: 'bia' } }),
  ];
  const facts = await compose({ sessions: [session()], events });
  expect(facts.fontes.at(-1)!.registros).toHaveLength(1);
  expect(JSON.stringify(facts)).not.toContain('gripe');
});

const line = (em: string, quantidade: number, saldo: number, more: Partial<StatementLine> = {}) =>
  ({
    em,
    quantidade,
    saldo,
    tipo: 'consumo',
    posicao: 1,
    session_id: null,
    plano_nome: null,
    sessao: null,
    ...more,
  }) as StatementLine;

describe('the statement', () => {
  const lines = [
    line('2026-10-01T12:00:00Z', 8, 8, { tipo: 'concessao' }),
    line('2026-11-01T02:59:00Z', -1, 7),
    line('2026-11-10T11:00:00Z', -1, 6, { session_id: 's' }),
    line('2026-11-12T11:00:00Z', 2, 8, { tipo: 'ajuste' }),
    line('2026-12-01T03:00:00Z', -1, 7),
  ];

  it('begins with the balance before the period, ends with that at its end, and adds up', async () => {
    const { creditos } = await compose({ sessions: [session()], lines });
    expect(creditos).toMatchObject({ abertura: 7, fechamento: 8 });
    expect(creditos.linhas.map((cells) => cells.slice(2))).toEqual([
      ['Crédito usado', 'Sessão nº 2', '1', '−1', '6'],
      ['Ajuste de saldo', '', '1', '+2', '8'],
    ]);
    const moved = lines.slice(2, 4).reduce((sum, { quantidade }) => sum + quantidade, 0);
    expect(creditos.abertura + moved).toBe(creditos.fechamento);
  });

  it('of a period without lines has the balance of before, also after the last line', async () => {
    expect((await compose({ lines: lines.slice(0, 2) })).creditos).toEqual({
      abertura: 7,
      linhas: [],
      fechamento: 7,
    });
    expect((await compose({ lines: lines.slice(4) })).creditos).toEqual({
      abertura: 0,
      linhas: [],
      fechamento: 0,
    });
  });
});

describe('the money', () => {
  it('adds up without cancelled charges and reversed payments', async () => {
    const charge = (id: string, status: string, pago: number) => ({
      id,
      descricao: null,
      valor: 9_000,
      pago,
      vencimento: '2026-11-10',
      status,
    });
    const payment = (id: string, estornado_em: Date | null) => ({
      id,
      data: '2026-11-10',
      valor: 4_000,
      metodo_pagamento: 'pix',
      descricao: null,
      recibo: null,
      charge_id: 'a',
      estornado_em,
    });
    const charges = [charge('a', 'aberta', 4_000), charge('b', 'paga', 9_000), charge('c', 'cancelada', 0)];
    const payments = [payment('p', null), payment('q', new Date('2026-11-11T12:00:00Z'))];
    const { cobrancas, pagamentos } = await compose({ charges, payments });
    expect(cobrancas).toMatchObject({ valor: 18_000, pago: 13_000, aberto: 5_000 });
    expect(cobrancas.linhas.map((cells) => cells[3])).toEqual(['Vencida', 'Paga', 'Cancelada']);
    expect(pagamentos.recebido).toBe(4_000);
    expect(pagamentos.linhas[1]![5]).toBe('R$\u00a040,00\nestornado 11/11/26 9:00');
  });

  it('of a forgotten student has no words of a receipt', async () => {
    const person = { nome: null, personal: null, eles: [ana] };
    const payments = [
      {
        id: 'p',
        data: '2026-11-02',
        valor: 1,
        metodo_pagamento: 'pix',
        descricao: 'Pós-parto',
        recibo: 3,
        charge_id: null,
        estornado_em: null,
      },
    ];
    expect((await compose({ person, payments })).pagamentos.linhas[0]![2]).toBe('Pagamento');
  });

  it('has each record once: that of a payment is not said again with its charge', async () => {
    const charges = [
      { id: 'a', descricao: null, valor: 1, pago: 1, vencimento: '2026-11-10', status: 'paga' },
    ];
    const paid = { charge_id: 'a', transaction_id: 'p' };
    const events = [
      event('ChargeIssued', '2026-11-01T12:00:00Z', { charge_id: 'a' }, { subject: 'charge:a', position: 1 }),
      event('ChargePaid', '2026-11-02T12:00:00Z', paid, { subject: 'charge:a', position: 2 }),
      event('TransactionRecorded', '2026-11-02T12:00:00Z', paid, { subject: 'transaction:p', position: 3 }),
    ];
    const payments = [
      {
        id: 'p',
        data: '2026-11-02',
        valor: 1,
        metodo_pagamento: 'pix',
        descricao: null,
        recibo: null,
        charge_id: 'a',
        estornado_em: null,
      },
    ];
    const { fontes } = await compose({ charges, payments, events });
    expect(fontes.map(({ registros }) => registros.map(({ posicao }) => posicao))).toEqual([[1], [2]]);
  });
});

describe('the messages', () => {
  it('are those of the period, but not those that a session of it tells', async () => {
    const student = { subject: `student:${ana}` };
    const events = [
      event('ChargeReminded', '2026-10-31T12:00:00Z', {}, student),
      event('ChargeReminded', '2026-11-02T12:00:00Z', {}, { ...student, by: tenant }),
      event('SessionChangeRequested', '2026-11-03T12:00:00Z', about),
      event('SessionChangeRequested', '2026-11-04T12:00:00Z', { ...about, session_id: 'other' }),
      event('ExpiryWarningPrepared', '2026-11-05T12:00:00Z', { por_email: false }, student),
      event('StudentUpdated', '2026-11-06T12:00:00Z', {}, student),
    ];
    const { mensagens } = await compose({ sessions: [session()], events });
    expect(mensagens.map(([, when, , by]) => [when, by])).toEqual([
      ['02/11/26 9:00', 'Rende'],
      ['04/11/26 9:00', 'Marina'],
    ]);
  });
});

it('what the trainer noted for themselves is left out, and what the student said is not', () => {
  const note = { observacoes: 'sem carga', justificativa: 'cardiologista' };
  const dataOf = (type: string, data: object) => withoutNotes(event(type, '2026-11-06T12:00:00Z', data)).data;
  expect(dataOf('SessionCancelled', { ...note, motivo: 'falta' })).toEqual({
    observacoes: null,
    justificativa: null,
    motivo: 'falta',
  });
  expect(dataOf('CreditsAdjusted', { motivo: 'presente' })).toMatchObject({ motivo: null });
  expect(dataOf('ChargeRefunded', { motivo: 'mudou' })).toMatchObject({ motivo: null });
  expect(dataOf('TransactionRecorded', { descricao: 'Aula' })).toMatchObject({ descricao: null });
  expect(dataOf('SessionChangeRequested', { motivo: 'viagem' })).toMatchObject({ motivo: 'viagem' });
});
