import { randomUUID } from 'node:crypto';
import { addDays, addHours } from 'date-fns';
import { expect, it } from '@jest/globals';
import type { Session, SessionPage, SessionToChargePage } from '../../backend/modules/agenda/agenda.api.js';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { Service, ServicePage } from '../../backend/modules/services/services.api.js';
import type { SeriesDone, SeriesPreview } from '../../backend/modules/series/series.api.js';
import type { OwnSessions } from '../../backend/modules/student-area/own-sessions.api.js';
import type { OwnTimes } from '../../backend/modules/student-area/student-booking.api.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

/** A Tuesday that is followed by no holiday on the days of the series below, which would refuse them. */
const NOW = new Date('2026-11-10T12:00:00Z');
const app = await sharedApp(new SetClock(NOW));
const { api } = await signUp(app);

const fit = { nome: 'Avaliação', duracao_min: 30, valor: 15_000, usa_credito: false, cor: 'verde' };
const create = async (fields: object = fit) => (await api.post('/services', fields)).body.id;
const read = async (id: string) => (await api.get<Service>(`/services/${id}`)).body;
const register = async (nome: string) =>
  (await api.post('/students', { nome, telefone: '11943214321' })).body.id;
const hour = (days: number, hours = 0) => {
  const inicio = addHours(addDays(NOW, days), hours);
  return { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString(), permitir_conflito: true };
};
const book = async (booking: object) => (await api.post('/sessions', booking)).body.id;
const session = async (id: string) => (await api.get<Session>(`/sessions/${id}`)).body;

it('a service takes a credit and is offered to nobody else by default, is changed, archived and removed', async () => {
  const id = await create({ nome: 'Dupla', duracao_min: 60 });
  expect(await read(id)).toMatchObject({
    valor: null,
    usa_credito: true,
    cor: 'azul',
    locais: null,
    endereco: null,
    na_pagina: false,
    para_alunos: false,
    is_active: true,
  });
  await api.patch(`/services/${id}`, { duracao_min: 50, is_active: false });
  expect(await read(id)).toMatchObject({ duracao_min: 50, is_active: false });
  const { body } = await api.get<ServicePage>('/services', { query: { situacao: 'inativos' } });
  expect([body.items.map(({ nome }) => nome), body.total]).toEqual([['Dupla'], 1]);
  await api.delete(`/services/${id}`);
  await api.get(`/services/${id}`, { status: 404 });
  await api.post(`/services/${id}/restore`);
  expect(await read(id)).toMatchObject({ nome: 'Dupla' });
});

it('a session keeps the price that it agreed with its service, and shows what the service is called now', async () => {
  const [service_id, student_id] = [await create(), await register('Ana Souza')];
  const id = await book({ student_id, service_id, ...hour(-1) });
  await api.patch(`/services/${service_id}`, { nome: 'Avaliação física', valor: 20_000, usa_credito: true });
  const servico = { id: service_id, nome: 'Avaliação física', cor: 'verde', endereco: null };
  expect(await session(id)).toMatchObject({ servico, valor: null });
  await api.post(`/sessions/${id}/complete`);
  expect(await session(id)).toMatchObject({ sem_credito: true, valor: 15_000 });
  const { body } = await api.get<SessionToChargePage>('/sessions/to-charge');
  expect(body.items).toMatchObject([{ id, a_cobrar: 15_000 }]);
  await api.post('/charges/sessions', { student_id, session_ids: [id], total: 15_000 });
  const { items } = (await api.get<ChargePage>('/charges', { query: { student_id } })).body;
  expect(items).toMatchObject([{ descricao: expect.stringMatching(/^Avaliação física de /), valor: 15_000 }]);
  // It was booked with it, so it stays.
  const refused = await api.delete(`/services/${service_id}`, { status: 409 });
  expect(refused.body).toMatchObject({ code: 'services.in_use' });
  await api.patch(`/services/${service_id}`, { is_active: false });
  const late = await api.post('/sessions', { student_id, service_id, ...hour(1) }, { status: 409 });
  expect(late.body).toMatchObject({ code: 'services.inactive', errors: [{ pointer: '/service_id' }] });
  await api.post('/sessions', { student_id, service_id: randomUUID(), ...hour(1) }, { status: 404 });
});

it('an online service has its address where its sessions are seen, and is on no page for strangers; a session keeps the one it agreed to', async () => {
  const endereco = 'https://meet.example.com/abc-defg';
  const id = await create({ nome: 'Consultoria', duracao_min: 45, endereco, para_alunos: true });
  const student_id = await register('Gil Prado');
  const booked = await book({ student_id, service_id: id, ...hour(3) });
  expect(await session(booked)).toMatchObject({ location_id: null, servico: { endereco } });
  const { body } = await api.patch(`/services/${id}`, { na_pagina: true }, { status: 422 });
  expect(body).toMatchObject({ errors: [{ pointer: '/na_pagina' }] });
  const other = 'https://meet.example.com/other';
  await api.patch(`/services/${id}`, { endereco: other });
  const { url } = (await api.post<{ url: string }>(`/students/${student_id}/area-link`)).body;
  const headers = { 'Rende-Link': url.split('/').at(-1)! };
  const file = (await api.get<string>(`/sessions/${booked}/calendar`)).body;
  expect(file).toContain(`LOCATION:${endereco}`);
  const own = new Client(app.url);
  const seen = (await own.get<OwnSessions>('/student/sessions', { headers })).body.items;
  expect(seen).toMatchObject([{ servico: 'Consultoria', location_nome: 'Online', chamada: endereco }]);
  const times = (await own.get<OwnTimes>('/student/free-times', { headers })).body;
  expect(times).toMatchObject({ servico: id, online: true, locais: [] });
  await api.patch(`/services/${id}`, { para_alunos: false });
  // A series keeps it too.
  const [data] = hour(30).inicio.split('T');
  const rule = { data: data!, hora: '07:00', duracao: 45, intervalo: 1, vezes: 2 };
  const dias = [new Date(`${data}T12:00:00Z`).getUTCDay()];
  await api.post('/series', { student_id, service_id: id, ...rule, dias });
  const query = { student_id, limit: 10 };
  const all = (await api.get<SessionPage>('/sessions', { query })).body.items;
  expect(all.map(({ servico }) => servico?.endereco).toSorted()).toEqual([endereco, other, other]);
});

it('all of a group, who joins it, a copied week and each session of a series agree to the same service', async () => {
  const service_id = await create({ nome: 'Dupla', duracao_min: 60, valor: 9_000, usa_credito: false });
  const students = [await register('Bia Lima'), await register('Caio Reis'), await register('Duda Melo')];
  const of = async (query: object) =>
    (await api.get<SessionPage>('/sessions', { query: { limit: 100, ...query } })).body.items;
  const [first, second, third] = students as [string, string, string];
  const group = await api.post<{ session_ids: string[] }>('/sessions/groups', {
    student_ids: [first, second],
    service_id,
    ...hour(2),
  });
  await api.post(`/sessions/${group.body.session_ids[0]}/students`, { student_ids: [third] });
  await api.post('/sessions/week-copy', { session_ids: group.body.session_ids, mesmo_assim: [] });
  for (const student_id of students)
    for (const { servico } of await of({ student_id })) expect(servico).toMatchObject({ id: service_id });
  expect(await of({ student_id: first })).toHaveLength(2);

  const [data] = hour(20).inicio.split('T');
  const rule = { data: data!, hora: '07:00', duracao: 60, intervalo: 1, vezes: 3 };
  const dia = String(new Date(`${data}T12:00:00Z`).getUTCDay());
  await api.get<SeriesPreview>('/series/preview', { query: { ...rule, dias: dia } });
  const fourth = await register('Eva Nunes');
  const { body } = await api.post<SeriesDone>('/series', {
    student_id: fourth,
    service_id,
    ...rule,
    dias: [Number(dia)],
  });
  expect(body.sessoes).toBe(3);
  // The series goes on with what was agreed when it was started.
  await api.patch(`/services/${service_id}`, { valor: 12_000 });
  const [one] = await of({ student_id: fourth });
  await api.post(`/sessions/${one!.id}/series/students`, { escopo: 'todas', student_ids: [third] });
  const joined = (await of({ student_id: third })).filter(({ serie_id }) => serie_id !== null);
  expect(joined.map(({ servico }) => servico?.id)).toEqual([service_id, service_id, service_id]);
});

it.each<[object, string, string]>([
  [{ ...fit, nome: 'A' }, '/nome', 'Nome deve ter pelo menos 2 caracteres'],
  [{ ...fit, duracao_min: 10 }, '/duracao_min', 'Use de 15 a 180 minutos'],
  [{ ...fit, locais: [] }, '/locais', 'Escolha pelo menos um local'],
  [{ ...fit, endereco: 'javascript:alert(1)' }, '/endereco', 'Informe um endereço que comece com https://'],
  [
    { ...fit, locais: [randomUUID()], endereco: 'https://meet.example.com/a' },
    '/locais',
    'Um serviço online não tem local',
  ],
  [
    { ...fit, na_pagina: true, endereco: 'https://meet.example.com/a' },
    '/na_pagina',
    'Um serviço online não aparece no link público',
  ],
])('%j is refused', async (fields, pointer, detail) => {
  const { body } = await api.post('/services', fields, {
    status: pointer !== '/endereco' && 'endereco' in fields ? 422 : 400,
  });
  expect(body).toMatchObject({ errors: [{ pointer, detail }] });
});

it('a rebuild gives the same services', async () => {
  await expectRebuildToEqualLive(app, 'services');
  await expectRebuildToEqualLive(app, 'sessions');
});
