import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, addHours, subYears } from 'date-fns';
import type { NudgeList } from '../../backend/modules/nudges/nudges.api.js';
import type { RemindersWaiting } from '../../backend/modules/reminders/reminders.api.js';
import type { KnownStudent, StudentPage } from '../../backend/modules/students/students.api.js';
import { dateOf } from '../../backend/platform/local-time.js';
import { caughtUp } from '../proof/read-tables.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { SetClock } from '../support/clock.js';
import { startApp } from '../support/app.js';

const database = await testDatabase();
const app = await sharedApp();
const { api } = await signUp(app);
const now = new Date();
const today = dateOf(now, 'America/Sao_Paulo');
const ids: Record<string, string> = {};

const session = async (nome: string, days: number, outcome?: 'complete' | 'falta') => {
  const inicio = addHours(addDays(now, days), 1);
  const times = {
    inicio: inicio.toISOString(),
    fim: addHours(inicio, 1).toISOString(),
    permitir_conflito: true,
  };
  const { id } = (await api.post('/sessions', { student_id: ids[nome], ...times })).body;
  if (outcome === 'complete') await api.post(`/sessions/${id}/complete`);
  if (outcome === 'falta') await api.post(`/sessions/${id}/cancel`, { motivo: 'falta' });
};

const nudges = async () => {
  await caughtUp(database);
  return (await api.get<NudgeList>('/nudges')).body.items;
};
const waiting = async () => (await api.get<RemindersWaiting>('/reminders/waiting')).body.total;
const fading = async () =>
  (await api.get<StudentPage>('/students', { query: { sumidos: 'sim' } })).body.items.map(
    ({ nome, presenca }) => [nome, presenca],
  );

beforeAll(async () => {
  const plano_id = (
    await api.post('/plans', { nome: 'Oito por mês', valor: 60_000, creditos: 8, validade_dias: 30 })
  ).body.id;
  for (const nome of ['Ana Sol', 'Bia', 'Caio', 'Davi', 'Eva'])
    ids[nome] = (await api.post('/students', { nome, whatsapp: '11943214321' })).body.id;
  await api.patch(`/students/${ids['Ana Sol']}`, {
    nascimento: dateOf(subYears(new Date(`${today}T12:00Z`), 36), 'America/Sao_Paulo'),
  });
  await api.patch(`/students/${ids.Bia}`, { plano_id });
  for (const nome of ['Bia', 'Caio']) {
    for (const days of [-52, -45, -38, -31]) await session(nome, days, 'complete');
    for (const days of [-20, -6]) await session(nome, days, 'complete');
    await session(nome, 3);
  }
  await session('Bia', -9, 'falta');
  await session('Davi', -30, 'complete');
});

describe('students who come less', () => {
  it('are those without sessions, and those with half as many as before; new ones are not', async () => {
    await caughtUp(database);
    expect(await fading()).toEqual([
      ['Bia', { ultimas: 2, anteriores: 4 }],
      ['Caio', { ultimas: 2, anteriores: 4 }],
      ['Davi', { ultimas: 0, anteriores: 1 }],
    ]);
  });

  it('have what they did each week, what they missed and their plan on their page', async () => {
    expect((await api.get<KnownStudent>(`/students/${ids.Bia}`)).body.frequencia).toEqual({
      semanas: [0, 0, 0, 0, 1, 1, 1, 1, 0, 1, 0, 1],
      faltas: 1,
      plano: { creditos: 8, dias: 30 },
    });
  });

  it('are not who is paused or has a session booked, nor anybody who came half as often in a vacation', async () => {
    const ate = dateOf(addDays(now, 9), 'America/Sao_Paulo');
    await api.put(`/students/${ids.Caio}/pause`, { ate });
    // Paused by mistake: this pause has no days.
    for (const last of [ate, null]) await api.put(`/students/${ids.Bia}/pause`, { ate: last });
    await caughtUp(database);
    expect((await fading()).map(([nome]) => nome)).toEqual(['Bia', 'Davi']);
    await session('Davi', 4);
    await caughtUp(database);
    expect((await fading()).map(([nome]) => nome)).toEqual(['Bia']);
    const away = { start_date: today, end_date: today, description: '' };
    const { id } = (await api.post('/vacations', away)).body;
    await caughtUp(database);
    expect(await fading()).toEqual([]);
    await api.delete(`/vacations/${id}`);
    await caughtUp(database);
  });
});

describe('a message', () => {
  it('waits for a birthday and for who comes less, until it is sent, and again after it is undone', async () => {
    expect(await nudges()).toMatchObject([
      {
        student_nome: 'Ana Sol',
        motivo: 'aniversario',
        idade: 36,
        texto: expect.stringContaining('Feliz aniversário'),
      },
      {
        student_nome: 'Bia',
        motivo: 'sumindo',
        ultimas: 2,
        anteriores: 4,
        link: expect.stringContaining('wa.me'),
      },
    ]);
    expect(await waiting()).toBe(2);
    const { body } = await api.post(`/students/${ids.Bia}/nudges`, { motivo: 'sumindo' });
    expect((await api.post(`/students/${ids.Bia}/nudges`, { motivo: 'sumindo' })).body).toEqual(body);
    expect(await nudges()).toMatchObject([{ id: null }, { id: body.id, enviado_em: expect.any(String) }]);
    expect(await waiting()).toBe(1);
    await api.post(`/nudges/${body.id}/unsent`);
    expect(await nudges()).toMatchObject([{ id: null }, { id: null }]);
    expect(await waiting()).toBe(2);
    const dismissed = await api.post(`/students/${ids.Bia}/nudges/dismissed`, { motivo: 'sumindo' });
    expect(await nudges()).toMatchObject([{ id: null }, { id: dismissed.body.id, dispensada: true }]);
    expect(await waiting()).toBe(1);
    await expectRebuildToEqualLive(app, 'nudges');
    await api.post(`/nudges/${dismissed.body.id}/unsent`);
    expect(await waiting()).toBe(2);
  });

  it('asks who has used up the credits of the plan to renew it, unless money was asked for, and again after the next ones', async () => {
    const lia = await signUp(app);
    const plan = { nome: 'Uma aula', valor: 9_000, creditos: 1, validade_dias: 30 };
    const plano_id = (await lia.api.post('/plans', plan)).body.id;
    const { id } = (await lia.api.post('/students', { nome: 'Gil Reis', whatsapp: '11943214322', plano_id }))
      .body;
    const list = async () => {
      await caughtUp(database);
      const { items } = (await lia.api.get<NudgeList>('/nudges')).body;
      return items.map(({ motivo, texto, enviado_em }) => [motivo, texto, enviado_em !== null]);
    };
    const lesson = async (days: number) => {
      const inicio = addHours(addDays(now, days), 1);
      const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
      const booked = await lia.api.post('/sessions', { student_id: id, ...times, permitir_conflito: true });
      await lia.api.post(`/sessions/${booked.body.id}/complete`);
    };
    expect(await list()).toEqual([]);
    await lia.api.post(`/students/${id}/credits/renew`, {});
    expect(await list()).toEqual([]);
    await lesson(-2);
    const asked = 'Oi, Gil! Seus créditos acabaram. Vamos renovar o plano Uma aula, de R$\u00a090,00?';
    expect(await list()).toEqual([['renovar', asked, false]]);
    const { body: charge } = await lia.api.post(`/charges`, {
      student_id: id,
      descricao: 'Uma aula',
      valor: 9_000,
      vencimento: today,
    });
    expect(await list()).toEqual([]);
    await lia.api.post(`/charges/${charge.id}/cancel`);
    await lia.api.post(`/students/${id}/nudges`, { motivo: 'renovar' });
    expect(await list()).toEqual([['renovar', asked, true]]);
  });

  it('congratulates who was born on 29 February a day before, in a year without one', async () => {
    const later = await startApp({ clock: new SetClock(new Date('2027-02-28T12:00:00-03:00')) });
    const other = await signUp(later);
    await other.api.post('/students', { nome: 'Lia', telefone: '11943214321', nascimento: '2000-02-29' });
    await caughtUp(database);
    expect((await other.api.get<NudgeList>('/nudges')).body.items[0]).toMatchObject({ idade: 27 });
    await later.close();
  });

  it('is refused for a student who is archived or unknown', async () => {
    await api.post(`/students/${ids.Eva}/archive`);
    await api.post(`/students/${ids.Eva}/nudges`, { motivo: 'sumindo' }, { status: 409 });
    await api.post(`/students/${randomUUID()}/nudges`, { motivo: 'sumindo' }, { status: 404 });
    await api.post(`/nudges/${ids.Eva}/unsent`, {}, { status: 404 });
  });
});
