import { beforeEach, expect, it } from '@jest/globals';
import type { Dashboard } from '../../backend/modules/agenda/agenda.api.js';
import { defaultSettings } from '../../backend/modules/public-link/public-link.api.js';
import type { RecentStudents } from '../../backend/modules/agenda/recent-students.api.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { agendaOf, on } from './trainer.js';

const clock = new SetClock(new Date());
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;

const app = await sharedApp(clock);

beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza');
});

const dashboard = async () => (await trainer.api.get<Dashboard>('/dashboard')).body;
const book = (inicio: string) =>
  agenda.book({ student_id: ana, inicio, fim: new Date(Date.parse(inicio) + 900_000).toISOString() });

it('counts the day and the week, from Sunday, in the time zone', async () => {
  const [saturday, sunday, thursday, nextSunday] = [on(21), on(22), on(26), on(29)];
  await book(saturday(23, 45));
  await book(sunday(0));
  await agenda.book({ student_id: ana, inicio: on(25)(23, 45), fim: thursday(0, 15) });
  const last = await book(thursday(23, 45));
  const end = await book(nextSunday(-1, 45));
  await book(nextSunday(0));
  const gone = await book(thursday(12));
  await agenda.cancel(gone);

  clock.at = new Date(thursday(23, 30));
  const { hoje, esta_semana, proximas_sessoes } = await dashboard();
  expect([hoje, esta_semana]).toEqual([2, 4]);
  expect(proximas_sessoes.map(({ id }) => id).slice(0, 2)).toEqual([last, end]);
  expect(proximas_sessoes).toHaveLength(3);
  expect(proximas_sessoes[0]).toEqual(await agenda.get(last));

  await agenda.complete(last);
  expect(await dashboard()).toMatchObject({ hoje: 1, esta_semana: 3 });
});

it('handles a day without its first hour', async () => {
  await book('2018-11-04T02:45:00.000Z');
  await book('2018-11-04T03:00:00.000Z');
  await book('2018-11-05T01:45:00.000Z');
  await book('2018-11-05T02:00:00.000Z');
  clock.at = new Date('2018-11-04T12:00:00Z');
  expect(await dashboard()).toMatchObject({ hoje: 2, esta_semana: 3 });
});

it('counts active students and locations', async () => {
  const [bia, park] = [await agenda.student('Bia Lima'), await agenda.location()];
  await agenda.location('Academia');
  await trainer.api.post(`/students/${bia}/archive`);
  await trainer.api.patch(`/locations/${park}`, { is_active: false });
  expect(await dashboard()).toEqual({
    hoje: 0,
    esta_semana: 0,
    total_alunos: 1,
    locais_ativos: 1,
    proximas_sessoes: [],
    primeiros_passos: {
      plano: false,
      aluno: true,
      agendamento: false,
      recebimento: false,
      local: true,
      pix: false,
      link: false,
    },
  });
});

it('lists which of the first steps were done', async () => {
  const newcomer = await signUp(app);
  const steps = async () => (await newcomer.api.get<Dashboard>('/dashboard')).body.primeiros_passos;
  const none = {
    plano: false,
    aluno: false,
    agendamento: false,
    recebimento: false,
    local: false,
    pix: false,
    link: false,
  };
  expect(await steps()).toEqual(none);

  const { plan, student, location, book: bookSession, cancel } = agendaOf(newcomer.api);
  await plan();
  expect(await steps()).toEqual({ ...none, plano: true });
  const student_id = await student('Bia Lima');
  expect(await steps()).toEqual({ ...none, plano: true, aluno: true });
  await cancel(await bookSession({ student_id, inicio: on(26)(7), fim: on(26)(8) }));
  const entry = { descricao: 'Elásticos', valor: 5000, metodo_pagamento: 'pix', data: '2018-11-03' };
  await newcomer.api.post('/transactions', { ...entry, tipo: 'despesa' });
  expect(await steps()).toEqual({ ...none, plano: true, aluno: true, agendamento: true });
  await newcomer.api.post('/transactions', { ...entry, tipo: 'receita' });
  const core = { plano: true, aluno: true, agendamento: true, recebimento: true };
  expect(await steps()).toEqual({ ...none, ...core });

  await location();
  await newcomer.api.put('/settings/pix', {
    tipo: 'email',
    chave: 'bia@example.com',
    nome: 'Bia',
    cidade: 'Recife',
  });
  await newcomer.api.put('/public-link', { ...defaultSettings, texto: 'Vagas abertas' });
  expect(await steps()).toEqual({ ...core, local: true, pix: true, link: true });
});

it('counts a charge as the last of the first steps', async () => {
  await trainer.api.post('/charges', {
    student_id: ana,
    valor: 9_000,
    descricao: 'Avulsa',
    vencimento: '2030-01-10',
  });
  expect((await dashboard()).primeiros_passos.recebimento).toBe(true);
});

it('lists the students with sessions nearest to now, past or future, without archived ones', async () => {
  clock.at = new Date(on(26)(12));
  const [bia, caio, davi] = [
    await agenda.student('Bia Lima'),
    await agenda.student('Caio Reis'),
    await agenda.student('Davi Melo'),
  ];
  const hour = async (student_id: string, day: number) =>
    agenda.book({ student_id, inicio: on(day)(8), fim: on(day)(9), permitir_conflito: true });
  await hour(ana, 20);
  await hour(bia, 27);
  await agenda.remove(await hour(caio, 26));
  await hour(caio, 29);
  await hour(davi, 26);
  await agenda.cancel(await hour(davi, 30));
  await trainer.api.post(`/students/${davi}/archive`);
  const { body } = await trainer.api.get<RecentStudents>('/sessions/recent-students');
  expect(body.items).toEqual([
    { id: bia, nome: 'Bia Lima', creditos: 0 },
    { id: caio, nome: 'Caio Reis', creditos: 0 },
    { id: ana, nome: 'Ana Souza', creditos: 0 },
  ]);
});
