import { describe, expect, it } from '@jest/globals';
import type { Me } from '../../backend/modules/accounts/accounts.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { Allocations, MonthSummary } from '../../backend/modules/finance/finance.api.js';
import {
  type ShownTerms,
  TERMS_VERSION,
  type TermsAcceptance,
} from '../../backend/modules/general-terms/general-terms.api.js';
import {
  defaultSettings,
  type OnboardingData,
  type ShownSettings,
} from '../../backend/modules/settings/settings.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { caughtUp } from '../proof/read-tables.js';
import { SetClock, dayOf } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';

const clock = new SetClock(new Date('2026-11-22T12:00:00.000Z'));
const database = await testDatabase();
const app = await sharedApp(clock);

const settingsOf = async ({ api }: Trainer) => (await api.get<ShownSettings>('/settings')).body;
const monthOf = async ({ api }: Trainer) => (await api.get<MonthSummary>('/finance/months/2026-11')).body;
const receive = async ({ api }: Trainer, valor: number) => {
  const entry = {
    tipo: 'receita',
    descricao: 'Mensalidade',
    valor,
    metodo_pagamento: 'pix',
    data: '2026-11-20',
  };
  const { body } = await api.post('/transactions', entry);
  return (await api.get<Allocations>(`/transactions/${body.id}/allocations`)).body.items.map(
    (part) => part.valor,
  );
};

const answers: OnboardingData = {
  alunos_ativos: 20,
  tipo_atendimento: 'Presencial no parque',
  ticket_medio_mensal: 40_000,
  formas_cobranca: ['pix', 'dinheiro'],
  emite_recibo: true,
  faturamento_mensal_medio: 800_000,
  tipo_planos: 'Mensal e pacotes',
  faz_desconto: false,
  tem_politica_cancelamento: true,
  objetivos: ['mais alunos', 'reserva'],
  meta_faturamento_6meses: 3_000_000,
};

describe('settings', () => {
  it('have the defaults of the product until they are changed', async () => {
    const trainer = await signUp(app);
    expect(await settingsOf(trainer)).toEqual({
      ...defaultSettings,
      moeda: 'BRL',
      fuso_horario: 'America/Sao_Paulo',
      completed_at: null,
    });
    expect(await receive(trainer, 10_000)).toEqual([1000, 2000, 3000, 4000]);
    expect(await monthOf(trainer)).toMatchObject({ meta: 1_000_000, aderencia: 1, meta_reserva: 100_000 });
  });

  it('determine the goals of the month, and the allocation of later receitas', async () => {
    const trainer = await signUp(app);
    await receive(trainer, 10_000);
    await trainer.api.put('/settings', {
      ...defaultSettings,
      meta_mensal: 40_000,
      meta_reserva: 50_000,
      imposto: 0,
      reserva: 50,
      operacional: 50,
      retirada: 0,
    });

    expect(await receive(trainer, 10_000)).toEqual([0, 5000, 5000, 0]);
    expect(await monthOf(trainer)).toMatchObject({
      meta: 40_000,
      aderencia: 50,
      meta_reserva: 50_000,
      reserva_sugerida: 10_000,
      alocacoes: { imposto: 1000, reserva: 7000, operacional: 8000, retirada: 4000 },
    });
  });

  it('contain the time zone of the business, in which days and months are computed from then on', async () => {
    const trainer = await signUp(app);
    const { api, tenantId } = trainer;
    clock.at = new Date('2026-12-01T04:30:00.000Z');
    const daysLeft = async () => (await monthOf(trainer)).dias_restantes;
    expect(await daysLeft()).toBe(0);

    for (const fuso_horario of ['America/Rio_Branco', 'America/Rio_Branco']) {
      await api.put('/settings/timezone', { fuso_horario });
    }

    expect((await settingsOf(trainer)).fuso_horario).toBe('America/Rio_Branco');
    expect((await api.get<Me>('/me')).body.membership!.timezone).toBe('America/Rio_Branco');
    expect(await daysLeft()).toBe(1);
    const words = (await api.get<HistoryPage>('/history', { query: { subject: `settings:${tenantId}` } }))
      .body;
    expect(words.items.map(({ texto }) => texto)).toEqual(['Mudou o fuso horário: Acre']);
    for (const fuso_horario of ['Europe/Lisbon', 'nonsense', null]) {
      const body = { fuso_horario };
      expect((await api.request('PUT', '/api/v1/settings/timezone', { body })).status).toBe(400);
    }
    clock.at = new Date('2026-11-22T12:00:00.000Z');
  });

  it('accept only shares that add up to 100', async () => {
    const { api } = await signUp(app);
    for (const [wrong, status] of [
      [{ ...defaultSettings, imposto: 11 }, 422],
      [{ ...defaultSettings, imposto: -10, reserva: 40 }, 400],
      [{ ...defaultSettings, meta_mensal: 0.5 }, 400],
      [{ ...defaultSettings, completed_at: null }, 400],
    ] as const) {
      const refused = await api.request<ProblemBody>('PUT', '/api/v1/settings', { body: wrong });
      expect(refused.status).toBe(status);
    }
  });
});

describe('the first set-up', () => {
  it('is saved as an event, with encrypted texts, and sets the goals', async () => {
    const trainer = await signUp(app);
    await trainer.api.post('/onboarding', answers);
    await trainer.api.post('/onboarding', { ...answers, alunos_ativos: 1 });

    expect(await settingsOf(trainer)).toMatchObject({
      meta_mensal: 500_000,
      meta_trimestral: 1_500_000,
      meta_anual: 6_000_000,
      meta_reserva: 100_000,
      completed_at: expect.any(String),
    });
    const events = await database.query<{ type: string; data: Record<string, unknown> }>(
      'select type, data from events where tenant_id = $1 order by position offset 1',
      [trainer.tenantId],
    );
    expect(events.map(({ type }) => type)).toEqual(['OnboardingCompleted', 'FinancialSettingsChanged']);
    expect(events[0]!.data.alunos_ativos).toBe(20);
    expect(JSON.stringify(events)).not.toMatch(/parque|pacotes|dinheiro|alunos"|reserva,/i);
  });

  it('is refused if an answer is missing or invalid', async () => {
    const { api } = await signUp(app);
    const { objetivos: _, ...without } = answers;
    const wrong = [
      { alunos_ativos: 'vinte' },
      { alunos_ativos: -1 },
      { alunos_ativos: 1.5 },
      { tipo_planos: ' ' },
      { tipo_atendimento: 'x'.repeat(501) },
      { emite_recibo: 'sim' },
      { meta_faturamento_6meses: -1 },
      { objetivos: Array<string>(21).fill('reserva') },
      { outra: 1 },
    ].map((answer) => ({ ...answers, ...answer }));
    for (const body of [without, ...wrong]) {
      expect((await api.request('POST', '/api/v1/onboarding', { body })).status).toBe(400);
    }
    expect((await api.get<ShownSettings>('/settings')).body.completed_at).toBeNull();
  });
});

describe('the general terms', () => {
  const shown = async ({ api }: Trainer) => (await api.get<ShownTerms>('/general-terms')).body;

  it('are agreed to once, which the history shows', async () => {
    const trainer = await signUp(app);
    const acceptance = { versao: TERMS_VERSION } satisfies TermsAcceptance;
    expect(await shown(trainer)).toEqual({ aceite: null });
    await trainer.api.post('/general-terms/acceptance', acceptance);
    const { aceite } = await shown(trainer);
    expect(aceite).toEqual({ versao: TERMS_VERSION, em: expect.any(String) });
    await trainer.api.post('/general-terms/acceptance', acceptance);
    expect(await shown(trainer)).toEqual({ aceite });

    const query = { subject: `settings:${trainer.tenantId}` };
    const history = await trainer.api.get<HistoryPage>('/history', { query });
    expect(history.body.items.map(({ texto }) => texto)).toEqual([
      'Concordou com as Políticas e Termos Gerais (versão de 31/01/2025)',
    ]);
  });

  it('cannot be agreed to in an outdated version', async () => {
    const trainer = await signUp(app);
    const body = { versao: '2020-01-01' };
    const refused = await trainer.api.request<ProblemBody>('POST', '/api/v1/general-terms/acceptance', {
      body,
    });
    expect(refused.status).toBe(400);
    expect(refused.body.errors?.[0]?.detail).toBe(
      'Os termos mudaram. Atualize a página e leia o texto atual.',
    );
    expect(await shown(trainer)).toEqual({ aceite: null });
  });
});

it('a rebuild gives the same settings and agreement', async () => {
  await caughtUp(database);
  await expectRebuildToEqualLive(app, 'financial-settings');
  await expectRebuildToEqualLive(app, 'general-terms');
});

const trainer = await signUp(app);
const ana = (await trainer.api.post('/students', { nome: 'Ana Souza', telefone: '11943214321' })).body.id;

type Body = Record<string, unknown>;
interface Undone {
  path: () => Promise<string> | string;
  method?: 'PUT' | 'PATCH';
  before: Body;
  changed: Body;
  /** What another window has set since. */
  since: Body;
  detail: string;
}

const slug = `ana-${randomUUID().slice(0, 8)}`;
const link = { ativo: true, dias: 7, duracao_min: 60, intervalo_min: 15, por_dia: 3, antecedencia_min: 0 };
const page = { ...link, locais: null, texto: 'Oi', whatsapp: null, indexavel: false, ver_todos: false };
const notices = { push: ['aulas', 'pedidos'], email: [], desligados: [], silencio: null };
const key = { tipo: 'email', chave: 'ana@exemplo.com.br', nome: 'Ana', cidade: 'Rio' };
const booking = { ativo: true, dias: 14, duracao_min: 60, intervalo_min: 0, antecedencia_min: 120 };
const own = { ...booking, abertas: 4, exige_credito: true };
const end = (days: number) => dayOf(addDays(clock.at, days));

const changes: Record<string, Undone> = {
  'a cancellation policy': {
    path: async () =>
      `/locations/${(await trainer.api.post('/locations', { nome: 'Parque' })).body.id}/policy`,
    before: { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false },
    changed: { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true },
    since: { cancel_limite_horas: 12, taxa_percent: 30, queima_credito: true },
    detail: 'A política mudou depois dessa alteração. Confira como ela está agora.',
  },
  'the public link': {
    path: () => '/public-link',
    before: page,
    changed: { ...page, locais: [], ver_todos: true },
    since: { ...page, locais: [], texto: 'Olá' },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  "the public link's address": {
    path: () => '/public-link/slug',
    before: { slug: `${slug}-a` },
    changed: { slug: `${slug}-b` },
    since: { slug: `${slug}-c` },
    detail: 'O endereço mudou depois dessa alteração. Confira como ele está agora.',
  },
  'notification settings': {
    path: () => '/settings/notifications',
    before: { ...notices, zona: 'America/Sao_Paulo' },
    changed: { ...notices, silencio: { de: '22:00', ate: '07:00' }, zona: 'America/Sao_Paulo' },
    since: {
      ...notices,
      push: ['aulas'],
      silencio: { de: '22:00', ate: '07:00' },
      zona: 'America/Sao_Paulo',
    },
    detail: 'As notificações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'the rules of make-ups': {
    path: () => '/settings/make-up',
    before: { ativo: false, teto_percent: 25, prazo_meses: 1 },
    changed: { ativo: true, teto_percent: 25, prazo_meses: 1 },
    since: { ativo: true, teto_percent: 50, prazo_meses: 1 },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  "settings of students' bookings": {
    path: () => '/settings/student-booking',
    before: own,
    changed: { ...own, dias: 21 },
    since: { ...own, dias: 21, abertas: 2 },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'what the advisor may send': {
    path: () => '/settings/advisor',
    before: { envio: 'sem_nomes' },
    changed: { envio: 'com_nomes' },
    since: { envio: 'nada' },
    detail: 'As configurações mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'the Pix key': {
    path: () => '/settings/pix',
    before: key,
    changed: { ...key, chave: 'bia@exemplo.com.br' },
    since: { ...key, chave: 'caio@exemplo.com.br' },
    detail: 'A chave Pix mudou depois dessa alteração. Confira como ela está agora.',
  },
  'a note': {
    method: 'PATCH',
    path: async () => {
      const note = { dia: '2026-11-20', texto: 'Joelho' };
      return `/student-notes/${(await trainer.api.post(`/students/${ana}/notes`, note)).body.id}`;
    },
    before: { dia: '2026-11-20', texto: 'Joelho' },
    changed: { dia: '2026-11-20', texto: 'Joelho direito' },
    since: { dia: '2026-11-20', texto: 'Joelho esquerdo' },
    detail: 'A anotação mudou depois dessa alteração. Confira como ela está agora.',
  },
  'tags of a student': {
    path: () => `/students/${ana}/tags`,
    before: { etiquetas: ['Manhã'] },
    changed: { etiquetas: ['Manhã', 'Corrida'] },
    since: { etiquetas: ['Corrida'] },
    detail: 'As etiquetas mudaram depois dessa alteração. Confira como elas estão agora.',
  },
  'a pause': {
    path: () => `/students/${ana}/pause`,
    before: { ate: end(3) },
    changed: { ate: end(5) },
    since: { ate: end(9) },
    detail: 'A pausa mudou depois dessa alteração. Confira como ela está agora.',
  },
};

it.each(Object.entries(changes))(
  'the undo of a change of %s is refused once it was changed again, and works while it stands',
  async (_, { path, method = 'PUT', before, changed, since, detail }) => {
    const address = `/api/v1${await path()}`;
    const send = async (body: Body) => {
      const answer = await trainer.api.request<ProblemBody>(method, address, { body });
      return [answer.status, answer.body.code, answer.body.detail];
    };
    const undo = { ...before, se_ainda: changed };
    for (const body of [before, changed, since]) expect((await send(body))[0]).toBe(200);
    expect(await send(undo)).toEqual([409, 'changed_since', detail]);
    expect((await send(changed))[0]).toBe(200);
    expect((await send(undo))[0]).toBe(200);
    // Taken back once, it is not what it was any more.
    expect((await send(undo))[1]).toBe('changed_since');
  },
);

it('the end of a pause and the removal of the Pix key are undone only while there is none', async () => {
  const send = async (method: string, path: string, body: Body) =>
    (await trainer.api.request<ProblemBody>(method, `/api/v1${path}`, { body })).status;
  const bia = (await trainer.api.post('/students', { nome: 'Bia Lima', telefone: '11943214322' })).body.id;
  const pause = `/students/${bia}/pause`;
  const none = { tipo: null, chave: null, nome: null, cidade: null };
  for (const [path, set, unset, undo] of [
    [pause, { ate: end(3) }, ['PUT', pause, { ate: null }], { ate: end(3), se_ainda: { ate: null } }],
    ['/settings/pix', key, ['POST', '/settings/pix/remove', {}], { ...key, se_ainda: none }],
  ] as [string, Body, [string, string, Body], Body][]) {
    await send('PUT', path, set);
    expect(await send('PUT', path, undo)).toBe(409);
    expect(await send(...unset)).toBe(200);
    expect(await send('PUT', path, undo)).toBe(200);
  }
  const taken = { se_ainda: { ...key, cidade: 'Niterói' } };
  expect(await send('POST', '/settings/pix/remove', taken)).toBe(409);
  expect(await send('POST', '/settings/pix/remove', { se_ainda: key })).toBe(200);
});
