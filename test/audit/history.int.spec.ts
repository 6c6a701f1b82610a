import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { agendaOf, on } from '../agenda/trainer.js';

/** Before 18:00, when a job would add the reminders of the next day's sessions. */
const clock = new SetClock(new Date(on(26)(6)));
const chrome =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

const app = await sharedApp(clock);
const trainer = await signUp(app, { nome: 'Carla Dias' });
const agenda = agendaOf(trainer.api);

const at = on(26);
const history = async (subject: string, query: Record<string, string | number> = {}) =>
  (await trainer.api.get<HistoryPage>('/history', { query: { subject, ...query } })).body;
const words = async (subject: string) => (await history(subject)).items.map(({ texto }) => texto).reverse();

it('a session shows who did what, when, and what changed, newest first, without its own time in every line', async () => {
  const location = await agenda.location();
  await trainer.api.put(`/locations/${location}/policy`, {
    cancel_limite_horas: 48,
    taxa_percent: 50,
    queima_credito: true,
  });
  const [ana, bia] = [await agenda.student('Ana Souza', await agenda.plan()), await agenda.student('Bia')];
  await agenda.renew(ana);
  const id = await agenda.book({ student_id: ana, inicio: at(7), fim: at(8), observacoes: 'Joelho' });
  await agenda.patch(id, { inicio: at(18), fim: at(19), location_id: location, confirmado: false });
  await agenda.patch(id, { confirmado: true });
  await agenda.complete(id);
  await agenda.reopen(id);
  await agenda.cancel(id, { motivo: 'aluno_fora_do_prazo', aplicar_politica: true, justificativa: 'Chuva' });
  await agenda.remove(id);
  await agenda.restore(id);
  await agenda.patch(id, { status: 'agendada', student_id: bia, observacoes: null });

  expect(await words(`session:${id}`)).toEqual([
    'Agendou a sessão: observações (Joelho)',
    'Remarcou a sessão de qui., 26 de nov. de 2026, 7:00–8:00 para 18:00–19:00',
    'Alterou a sessão: local, não confirmada',
    'Alterou a sessão: confirmada',
    'Marcou a sessão como feita: descontou 1 crédito',
    'Devolveu o crédito',
    'Reabriu a sessão',
    'Cancelou a sessão (pelo aluno, fora do prazo): descontou 1 crédito, taxa de R$\u00a040,00, justificativa (Chuva)',
    'Emitiu a cobrança de R$\u00a040,00 com vencimento em 29/11/2026: Taxa de cancelamento fora do prazo · aula de qui., 26 de nov., 18:00',
    'Devolveu o crédito',
    'Excluiu a sessão',
    'Cancelou a cobrança: a sessão foi excluída',
    'Desfez a exclusão da sessão: descontou 1 crédito',
    'Devolveu o crédito',
    'Reabriu a sessão',
    'Cancelou a cobrança: a sessão foi reaberta',
    'Alterou a sessão: aluno, observações',
  ]);
  // Where it stands among others, its time says which one it is.
  const late = 'qui., 26 de nov. de 2026, 18:00–19:00';
  expect(await words(`student:${bia}`)).toEqual([
    'Cadastrou Bia',
    `Alterou a sessão de ${late}: aluno, observações`,
  ]);
  expect((await words(`student:${ana}`)).at(-1)).toBe(`Alterou a sessão de ${late}: aluno, observações`);
  expect(await words(`location:${location}`)).toContain(`Alterou a sessão de ${late}: local, não confirmada`);

  const [newest] = (await history(`session:${id}`)).items;
  expect(newest).toMatchObject({
    evento: 'SessionChanged',
    quem: { id: trainer.userId, nome: 'Carla Dias' },
    quando: expect.stringMatching(/^\d{4}-.*Z$/),
  });
});

it('shows the device of the auth session', async () => {
  const { email, password } = trainer;
  const signedIn = await new Client(app.url).request<{ access_token: string }>(
    'POST',
    '/auth/v1/token?grant_type=password',
    { body: { email, password }, headers: { 'User-Agent': chrome } },
  );
  const phone = new Client(app.url, { ...trainer, accessToken: signedIn.body.access_token });
  const { id } = (await phone.post('/locations', { nome: 'Praça' })).body;
  const page = await phone.get<HistoryPage>('/history', { query: { subject: `location:${id}` } });
  expect(page.body.items).toMatchObject([{ dispositivo: 'Chrome no Android' }]);
});

it('a transaction shows its reversal too', async () => {
  const entry = { tipo: 'receita', valor: 32_000, metodo_pagamento: 'pix', data: '2026-11-05' };
  const { id } = (await trainer.api.post('/transactions', { ...entry, descricao: 'Mensalidade' })).body;
  const reversal = (await trainer.api.post(`/transactions/${id}/reverse`, { motivo: 'em dobro' })).body.id;
  expect(await words(`transaction:${id}`)).toEqual([
    'Registrou a receita',
    'Estornou a receita (motivo: em dobro)',
  ]);
  expect(await words(`transaction:${reversal}`)).toEqual([
    'Estornou a receita de R$\u00a0320,00 de 05/11/2026 (Pix): Mensalidade (motivo: em dobro)',
  ]);
});

it('is listed in pages', async () => {
  const plan = await agenda.plan();
  for (const valor of [1, 2, 3, 4]) await trainer.api.patch(`/plans/${plan}`, { valor });
  const positions: number[] = [];
  let cursor: string | null | undefined;
  do {
    const page = await history(`plan:${plan}`, { limit: 2, ...(cursor && { cursor }) });
    positions.push(...page.items.map(({ posicao }) => posicao));
    cursor = page.next;
  } while (cursor);
  expect(positions).toHaveLength(5);
  expect(positions).toEqual(positions.toSorted((a, b) => b - a));
});

it('shows no data of a forgotten person', async () => {
  const ana = await agenda.student('Zuleika Quintanilha');
  const day = on(27);
  const id = await agenda.book({
    student_id: ana,
    inicio: day(7),
    fim: day(8),
    observacoes: 'Joelho operado',
  });
  await agenda.cancel(id, { motivo: 'aluno_no_prazo', justificativa: 'Cirurgia' });
  expect((await words(`student:${ana}`)).join()).toMatch(/Zuleika.*Joelho operado.*Cirurgia/);

  await trainer.api.post(`/students/${ana}/forget`);
  const when = 'sex., 27 de nov. de 2026, 7:00–8:00';
  expect(await words(`student:${ana}`)).toEqual([
    'Cadastrou o aluno',
    `Agendou a sessão de ${when}`,
    `Cancelou a sessão de ${when} (pelo aluno, no prazo): não aplicou a política`,
    'Inativou o aluno',
    'Apagou os dados pessoais do aluno',
  ]);
  expect(await agenda.get(id)).toMatchObject({ observacoes: null, status: 'cancelada' });
});

it.each([
  '',
  '?subject=plan',
  '?subject=plan:1',
  `?subject=tenant:${randomUUID()}`,
  `?subject=${randomUUID()}`,
])('refuses %j', async (query) => {
  expect((await trainer.api.request('GET', `/api/v1/history${query}`)).status).toBe(400);
});

it('has a text for every event except the creation and the end of a business', () => {
  const { aggregates, history: known } = app.nest.get(FeatureRegistry).all;
  const told = aggregates
    .flatMap(({ events }) => Object.keys(events))
    .filter((type) => type !== 'TenantOpened' && type !== 'TenantClosed');
  expect(Object.keys(known).sort()).toEqual(told.sort());
});

it('a rebuild gives the same history', () => expectRebuildToEqualLive(app, 'history'));
