import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import type { FreeTimesAnswer } from '../../backend/modules/agenda/free-times.api.js';
import type { Location, LocationPage } from '../../backend/modules/locations/locations.api.js';
import { defaultSettings, type PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import { defaultBooking, type OwnTimes } from '../../backend/modules/student-area/student-booking.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on, type Refusal } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { visitorsOf } from '../public-link/visitor.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { toldOf } from '../support/history.js';

/** Monday 9 November 2026, 12:00. Without hours of her own the trainer is open from 9:00 to 17:00. */
const clock = new SetClock(new Date(on(9)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
/** A location with a travel time of 40 minutes to the gym, where Bia trains on Tuesday from 10:00 to 11:00. */
let park: string;
let gym: string;

const at = on(10);
const hours = (...all: number[]) => all.map((hour) => at(hour));
const isTuesday = (inicio: string) => inicio >= at(0) && inicio < at(24);
const setWay = (from: string, location_id: string, minutos: number, status = 200) =>
  trainer.api.patch<Refusal>(`/locations/${from}`, { deslocamentos: [{ location_id, minutos }] }, { status });
const waysOf = async (id: string) => (await trainer.api.get<Location>(`/locations/${id}`)).body.deslocamentos;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  trainer = await signUp(app, { nome: `Ana ${randomUUID().slice(0, 8)}` });
  agenda = agendaOf(trainer.api);
  [park, gym] = [await agenda.location('Parque'), await agenda.location('Academia')];
  await setWay(park, gym, 40);
  const bia = await agenda.student('Bia Lima');
  await agenda.book({ student_id: bia, inicio: at(10), fim: at(11), location_id: gym });
  await caughtUp(database);
});

it('a travel time is the same in both directions, is changed from either location, and is removed by 0 minutes', async () => {
  expect([await waysOf(park), await waysOf(gym)]).toEqual([
    [{ location_id: gym, minutos: 40 }],
    [{ location_id: park, minutos: 40 }],
  ]);
  await setWay(gym, park, 25);
  expect(await waysOf(park)).toEqual([{ location_id: gym, minutos: 25 }]);
  expect(await toldOf(trainer.api, `location:${park}`)).toContain(
    'Definiu 25 min de deslocamento até outro local',
  );
  await expectRebuildToEqualLive(app, 'locations');
  await setWay(park, gym, 0);
  expect([await waysOf(park), await waysOf(gym)]).toEqual([[], []]);
});

it('a new location may be created with travel times; with one to an unknown location it is refused', async () => {
  const told = (location_id: string) => ({
    nome: 'Clube',
    deslocamentos: [{ location_id, minutos: 15 }],
  });
  const { body } = await trainer.api.post('/locations', told(park));
  expect(await waysOf(body.id)).toEqual([{ location_id: park, minutos: 15 }]);
  expect(await waysOf(park)).toContainEqual({ location_id: body.id, minutos: 15 });
  await trainer.api.post('/locations', told(randomUUID()), { status: 404 });
  const all = await trainer.api.get<LocationPage>('/locations');
  expect(all.body.items.map(({ nome }) => nome)).toEqual(['Academia', 'Clube', 'Parque']);
});

it('a travel time to a location that was removed since the form was opened is skipped', async () => {
  const club = await agenda.location('Clube');
  await trainer.api.delete(`/locations/${club}`);
  const deslocamentos = [
    { location_id: club, minutos: 15 },
    { location_id: gym, minutos: 30 },
  ];
  const { body } = await trainer.api.post('/locations', { nome: 'Praia', deslocamentos });
  await trainer.api.patch(`/locations/${park}`, { deslocamentos });
  expect(await waysOf(body.id)).toEqual([{ location_id: gym, minutos: 30 }]);
  await trainer.api.post(`/locations/${club}/restore`);
  expect(await waysOf(club)).toEqual([]);
  expect(await waysOf(park)).toEqual([{ location_id: gym, minutos: 30 }]);
});

it('a travel time to an unknown location, to the location itself or of more than four hours is refused, and nothing is recorded', async () => {
  const stranger = agendaOf((await signUp(app)).api);
  expect((await setWay(park, park, 10, 422)).body.code).toBe('locations.same_place');
  for (const other of [randomUUID(), await stranger.location()])
    expect((await setWay(park, other, 10, 404)).body.code).toBe('locations.not_found');
  for (const minutos of [-1, 241, 1.5]) await setWay(park, gym, minutos, 400);
  expect(await waysOf(park)).toEqual([{ location_id: gym, minutos: 40 }]);
});

it('visitors are offered, and can book, only times that leave room for the travel time of each location', async () => {
  await trainer.api.put('/public-link', { ...defaultSettings, intervalo_min: 0, por_dia: 24 });
  await caughtUp(database);
  const { slug } = (await trainer.api.get<PublicLink>('/public-link')).body;
  const visitors = visitorsOf(app.url, slug);
  const written = async (place: string) => {
    const page = await (await fetch(`${app.url}/p/${slug}/${place}`)).text();
    return [...page.matchAll(/name="inicio"\s+value="([^"]+)"/g)]
      .map(([, start]) => start!)
      .filter(isTuesday);
  };
  expect(await written(gym)).toEqual(hours(9, 11, 12, 13, 14, 15, 16));
  expect(await written(park)).toEqual(hours(12, 13, 14, 15, 16));
  const both = (await visitors.page()).body.horarios.map(({ inicio }) => inicio).filter(isTuesday);
  expect(both).toEqual(hours(9, 11, 12, 13, 14, 15, 16));

  const refused = await visitors.book({ location_id: park, inicio: at(11) });
  expect(refused).toMatchObject({ status: 409, body: { code: 'public.taken' } });
  expect(refused.body.livres!.map(({ inicio }) => inicio)).toEqual(hours(12, 13, 14));
  const morning = { de: '2026-11-10', ate: '2026-11-10', periodos: ['manha'] };
  expect((await visitors.wait({ location_id: gym, ...morning })).body.code).toBe('public.times_free');
  expect((await visitors.wait({ location_id: park, ...morning })).status).toBe(201);
  const booked = await visitors.book({ location_id: park, inicio: at(16) });
  expect(booked.status).toBe(201);
  await caughtUp(database);
  expect((await visitors.move(booked.body.token, at(9))).status).toBe(409);
  expect((await visitors.move(booked.body.token, at(15))).status).toBe(200);
  expect((await visitors.book({ location_id: gym, inicio: at(11) })).status).toBe(201);
});

it('a student sees at which locations a time is free, and cannot book it at others', async () => {
  await trainer.api.put('/settings/student-booking', { ...defaultBooking, exige_credito: false });
  const ana = await agenda.student('Ana Souza');
  const student = await studentAccount(app, trainer, ana, 'Ana');
  const book = (inicio: string, location_id: string | null, status = 201) =>
    student.api.post<{ id: string; code?: string }>('/student/sessions', { inicio, location_id }, { status });
  const places = async (query: Record<string, string> = {}) => {
    await caughtUp(database);
    const { horarios } = (await student.api.get<OwnTimes>('/student/free-times', { query })).body;
    return new Map(horarios.map(({ inicio, locais }) => [inicio, locais]));
  };
  const free = await places();
  expect(hours(9, 10, 11, 12).map((start) => free.get(start))).toEqual([[gym], undefined, [gym], null]);
  expect((await book(at(11), park, 409)).body.code).toBe('public.taken');
  const { id } = (await book(at(14), park)).body;
  const toMove = await places({ sessao: id });
  expect(hours(9, 11, 12).map((start) => toMove.has(start))).toEqual([false, false, true]);
  await student.api.post(`/student/sessions/${id}/move`, { inicio: at(11) }, { status: 409 });
  await book(at(11), gym);
});

it('the trainer sees the travel times and is offered times that respect them, but may book others', async () => {
  const query = { from: at(9), to: at(13), location_id: park };
  const { body } = await trainer.api.get<FreeTimesAnswer>('/free-times', { query });
  expect(body.inicios).toEqual(hours(12));
  expect(body.bloqueios.filter(({ tipo }) => tipo === 'deslocamento')).toMatchObject([
    { inicio: at(9, 20), fim: at(10) },
    { inicio: at(11), fim: at(11, 40) },
  ]);
  const student_id = await agenda.student('Caio Reis');
  const wanted = { student_id, inicio: at(10), fim: at(11) };
  const offered = async (location_id: string | null) => {
    const refusal = await agenda.refused(409, 'POST', '/sessions', { ...wanted, location_id });
    return (refusal as Refusal & { livres: { inicio: string }[] }).livres.map(({ inicio }) => inicio);
  };
  expect(await offered(park)).toEqual([at(12), at(12, 30), at(13)]);
  expect(await offered(gym)).toEqual([at(11), at(9), at(11, 30)]);
  await agenda.book({ student_id, inicio: at(11), fim: at(12), location_id: park });
});
