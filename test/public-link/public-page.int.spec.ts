import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Session } from '../../backend/modules/agenda/agenda.api.js';
import { defaultSettings, type PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import type { Waitlist } from '../../backend/modules/public-link/waitlist.api.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { SetClock } from '../support/clock.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { testDatabase } from '../support/database.js';
import { caughtUp } from '../proof/read-tables.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { somePhone, visitorsOf, openPublicPage, type OpenPage } from './visitor.js';
import { toldOf } from '../support/history.js';

/** Monday 2 November 2026, 8:00. */
const clock = new SetClock(new Date(on(2)(8)));
let trainer: OpenPage['trainer'];
let agenda: OpenPage['agenda'];
let location_id: string;
let slug: string;
let visitors: OpenPage['visitors'];
let set: OpenPage['set'];
let visits: OpenPage['visits'];
let students: OpenPage['students'];
let starts: OpenPage['starts'];

const link = async () => (await trainer.api.get<PublicLink>('/public-link')).body;
const projected = () => caughtUp(database);

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(2)(8));
  ({ trainer, agenda, location_id, slug, visitors, set, visits, students, starts } = await openPublicPage(
    app,
    database,
  ));
});

describe('services', () => {
  const serve = async (fields: object) =>
    (await trainer.api.post('/services', { duracao_min: 60, na_pagina: true, ...fields })).body.id;

  it('on the page are chosen from: its times last as long, at its places, and the trainer sees what was booked', async () => {
    await set({ primeira_aula: 9_000 });
    const other = await agenda.location('Studio');
    const fit = await serve({ nome: 'Avaliação', duracao_min: 30, valor: 15_000, locais: [other] });
    await serve({ nome: 'Dupla', na_pagina: false });
    await projected();
    expect((await visitors.page()).body).toMatchObject({
      duracao_min: 30,
      primeira_aula: null,
      locais: [{ nome: 'Studio' }],
      servicos: [{ id: fit, nome: 'Avaliação', duracao_min: 30, valor: 15_000 }],
    });
    const booking = { service_id: fit, inicio: on(2)(9, 30) };
    expect((await visitors.book({ ...booking, location_id })).body.code).toBe('public.location_gone');
    // As on a page that was opened before there was a service.
    const former = await visitors.book({ location_id: other, inicio: on(2)(9) });
    expect(former.body.code).toBe('public.service_gone');
    const made = (await visitors.book({ ...booking, location_id: other })).body;
    expect(made).toMatchObject({ inicio: on(2)(9, 30), fim: on(2)(10) });
    await projected();
    const [visit] = await visits();
    expect(visit).toMatchObject({ servico_nome: 'Avaliação', location_nome: 'Studio' });
    // It is moved as long as it was booked, whatever the service lasts by then.
    await trainer.api.patch(`/services/${fit}`, { duracao_min: 90, valor: 20_000 });
    await projected();
    expect((await visitors.move(made.token, on(3)(9))).body).toMatchObject({ fim: on(3)(9, 30) });
    await trainer.api.post(`/visits/${visit!.id}/confirm`, {});
    clock.at = new Date(on(3)(12));
    await trainer.api.post(`/sessions/${visit!.session_id}/complete`);
    expect(await agenda.get(visit!.session_id)).toMatchObject({ sem_credito: true, valor: 15_000 });
  });

  it('that somebody waits for are offered as long as they last', async () => {
    const fit = await serve({ nome: 'Avaliação', duracao_min: 30 });
    await set({ dias: 1, intervalo_min: 0 });
    const student = await agenda.student('Bia Lima');
    const full = await agenda.book({ student_id: student, inicio: on(2)(9), fim: on(2)(14) });
    const rest = await agenda.book({ student_id: student, inicio: on(2)(14), fim: on(2)(17) });
    await projected();
    const days = { de: '2026-11-02', ate: '2026-11-02', periodos: ['tarde'] };
    const wish = { ...days, location_id, service_id: fit };
    expect((await visitors.wait(wish)).status).toBe(201);
    await agenda.patch(rest, { inicio: on(2)(14, 30) });
    await projected();
    const wait = (await trainer.api.get<Waitlist>('/waitlist')).body.items[0]!;
    await trainer.api.put(`/waitlist/${wait.id}/skip`, { pulado: true });
    await trainer.api.put(`/waitlist/${wait.id}/skip`, { pulado: false });
    await projected();
    expect((await trainer.api.get<Waitlist>('/waitlist')).body.items).toMatchObject([
      { servico_nome: 'Avaliação', oferta: { inicio: on(2)(14), fim: on(2)(14, 30) } },
    ]);
    expect((await agenda.get(full)).status).toBe('agendada');
  });
});

describe('the page', () => {
  it('offers three of the hours from 9 to 17 on each of seven days until settings are saved', async () => {
    const { status, body } = await visitors.page();
    expect(status).toBe(200);
    expect(body.locais).toEqual([{ id: location_id, nome: 'Parque', endereco: null, porta: null }]);
    expect(body.horarios).toHaveLength(21);
    expect((await link()).horarios_definidos).toBe(false);
    const first = await starts();
    expect(first.slice(0, 4)).toEqual([on(2)(9), on(2)(12), on(2)(14), on(3)(9)]);
    expect(body.horarios.at(-1)).toEqual({ inicio: on(8)(14), fim: on(8)(15) });
  });

  it('leaves out past times, busy times with their margins, vacations and blocked hours', async () => {
    clock.at = new Date(on(2)(9, 30));
    const student = await agenda.student('Bia Lima');
    await agenda.book({ student_id: student, inicio: on(2)(11), fim: on(2)(12) });
    await trainer.api.post('/vacations', { start_date: '2026-11-03', end_date: '2026-11-03' });
    await trainer.api.put('/availability/exceptions/2026-11-04', {
      horarios: [{ start_time: '09:00', end_time: '10:00', is_blocked: true }],
    });
    await projected();
    expect((await starts()).slice(0, 6)).toEqual([
      on(2)(9, 45),
      on(2)(13),
      on(2)(15),
      on(4)(10),
      on(4)(12),
      on(4)(14),
    ]);
    await set({ intervalo_min: 0, antecedencia_min: 60, por_dia: 2, dias: 1 });
    expect(await starts()).toEqual([on(2)(12), on(2)(14)]);
  });

  it('is not found if unknown, says when it is switched off, and offers no times without a location', async () => {
    expect((await visitorsOf(app.url, 'ninguem-aqui').page()).body).toMatchObject({
      status: 404,
      title: 'Personal não encontrado',
    });
    await set({ locais: [] });
    expect((await visitors.page()).body).toMatchObject({ locais: [], horarios: [] });
    await set({ ativo: false });
    const paused = {
      status: 404,
      code: 'public.paused',
      contato: null,
      detail: expect.stringMatching(/^Ana pausou os agendamentos$/),
    };
    expect((await visitors.page()).body).toMatchObject(paused);
    await set({ ativo: false, whatsapp: '(11) 94444-1234' });
    const wanted = await visitors.book({ location_id, inicio: on(2)(9) });
    expect(wanted.body).toMatchObject({ ...paused, contato: 'https://wa.me/5511944441234' });
  });

  it('shows the chosen locations, and settings can be saved after one of these was removed', async () => {
    const [gone, other] = [await agenda.location('Quadra'), await agenda.location('Praia')];
    const locais = [location_id, gone];
    const names = async () => (await visitors.page()).body.locais.map(({ nome }) => nome);
    await set({ locais });
    expect(await names()).toEqual(['Parque', 'Quadra']);
    await trainer.api.delete(`/locations/${gone}`);
    await trainer.api.delete(`/locations/${other}`);
    await set({ locais, dias: 14 });
    expect(await names()).toEqual(['Parque']);
    const refused = { body: { ...defaultSettings, locais: [...locais, other] } };
    expect((await trainer.api.request('PUT', '/api/v1/public-link', refused)).status).toBe(404);
    await trainer.api.post(`/locations/${gone}/restore`);
    await projected();
    expect(await names()).toEqual(['Parque', 'Quadra']);
  });

  it('is answered with 304 while nothing has changed, and contains nothing about students', async () => {
    const first = await visitors.page();
    const etag = first.headers.get('ETag')!;
    expect(first.headers.get('Cache-Control')).toBe('public, max-age=5');
    expect((await visitors.page({ 'If-None-Match': etag })).status).toBe(304);
    const student = await agenda.student('Zuleika Quintanilha');
    await agenda.book({ student_id: student, inicio: on(2)(9), fim: on(2)(10) });
    const second = await visitors.page({ 'If-None-Match': etag });
    expect(second.status).toBe(200);
    expect(JSON.stringify(second.body)).not.toMatch(/Zuleika|student|11943214321/);
  });
});

describe('its address', () => {
  it('can change, and the former one redirects for a year and cannot be taken by others', async () => {
    const other = await signUp(app, { nome: 'Outra Pessoa' });
    const wished = `treino-${randomUUID().slice(0, 8)}`;
    await trainer.api.put('/public-link/slug', { slug: wished });
    expect(await link()).toMatchObject({ slug: wished, antigos: [{ slug }] });
    expect((await visitors.page()).body.slug).toBe(wished);
    for (const taken of [slug, wished])
      expect(
        (
          await other.api.request<{ code: string }>('PUT', '/api/v1/public-link/slug', {
            body: { slug: taken },
          })
        ).body.code,
      ).toBe('public_link.slug_taken');
    clock.at = new Date('2027-11-03T12:00:00Z');
    expect((await visitors.page()).status).toBe(404);
    await other.api.put('/public-link/slug', { slug });
    await projected();
    expect((await visitors.page()).body.nome).toBe('Outra Pessoa');
  });

  it('keeps twenty former ones, then changes only to one of these until the oldest expires', async () => {
    const name = (n: number) => `treino-${n}-${slug.slice(-6)}`;
    const change = (wished: string) => trainer.api.put('/public-link/slug', { slug: wished });
    for (let n = 1; n <= 20; n += 1) {
      clock.at = new Date(clock.at.getTime() + 60_000);
      await change(name(n));
    }
    for (const each of [slug, name(1), name(10), name(20)])
      expect((await visitorsOf(app.url, each).page()).status).toBe(200);
    expect(await agenda.refused(409, 'PUT', '/public-link/slug', { slug: name(21) })).toMatchObject({
      code: 'public_link.slugs_used_up',
      detail: '20 endereços antigos ainda levam até você. Volte a um deles ou espere até 02/11/2027.',
    });
    await change(name(1));
    expect((await link()).antigos).toHaveLength(20);
    clock.at = new Date('2027-11-02T11:01:30Z');
    expect((await visitors.page()).status).toBe(404);
    await change(name(21));
    expect((await visitorsOf(app.url, name(2)).page()).status).toBe(200);
  });

  it.each(['admin', 'Rende', 'ab', 'com espaço', 'acentuação', '-a-', 'a'.repeat(41)])(
    'is not %s',
    async (wrong) => {
      await agenda.refused(400, 'PUT', '/public-link/slug', { slug: wrong });
    },
  );

  it('is assigned once, also to concurrent namesakes, and is never a reserved word', async () => {
    const nome = `Suporte`;
    const [one, other] = await Promise.all([signUp(app, { nome }), signUp(app, { nome })]);
    const slugs = await Promise.all(
      [one, other].map(async ({ api }) => (await api.get<PublicLink>('/public-link')).body.slug),
    );
    expect(new Set(slugs).size).toBe(2);
    for (const each of slugs) expect(each).toMatch(/^suporte-/);
  });
});

describe('a booking', () => {
  it('registers a student and a session that the trainer confirms or declines', async () => {
    const whatsapp = somePhone();
    const { status, body } = await visitors.book({
      location_id,
      inicio: on(2)(9),
      whatsapp,
      email: 'c@example.com',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      inicio: on(2)(9),
      fim: on(2)(10),
      token: expect.stringMatching(/^[\w-]{43}$/),
    });
    await projected();
    const [visit] = await visits();
    expect(visit).toMatchObject({
      nome: 'Carla Visitante',
      aluno: 'Carla Visitante',
      novo: true,
      confirmado: false,
      status: 'agendada',
      location_nome: 'Parque',
      inicio: on(2)(9),
      bloqueado: false,
    });
    const { body: session } = await trainer.api.get<Session>(`/sessions/${visit!.session_id}`);
    expect(session).toMatchObject({ confirmado: false, status: 'agendada' });
    await trainer.api.post(`/visits/${body.id}/confirm`);
    expect((await visits())[0]).toMatchObject({ confirmado: true });
    await trainer.api.post(`/visits/${body.id}/decline`, { mensagem: 'Só à tarde.' });
    expect(await visits()).toEqual([]);
    expect(await starts()).toContain(on(2)(9));
    expect(await toldOf(trainer.api, `session:${visit!.session_id}`)).toEqual(
      expect.arrayContaining([
        'Reserva feita pelo link público',
        'Carla Visitante concordou com o texto de privacidade nº 2',
      ]),
    );
    await set({ dias: 8 });
    await projected();
    for (const name of ['visits', 'public-links']) await expectRebuildToEqualLive(app, name);
  });

  it('belongs to the student who has phone and name, and no answer reveals that there is one', async () => {
    const known = await agenda.student('Dona do Número');
    await projected();
    const book = async (booking: object) => {
      const began = performance.now();
      const answer = await visitors.book({ location_id, ...booking });
      return { ...answer, took: performance.now() - began };
    };
    const [first, second] = await Promise.all([
      book({ inicio: on(2)(9), whatsapp: '+5511943214321', nome: 'dona' }),
      book({ inicio: on(2)(11), whatsapp: '(11) 94321-9999' }),
    ]);
    expect(first.status).toBe(second.status);
    expect(Object.keys(first.body).sort()).toEqual(Object.keys(second.body).sort());
    const names = ({ headers }: { headers: Headers }) => [...headers.keys()].sort();
    expect(names(first)).toEqual(names(second));
    expect(first.headers.get('Rende-Position')).toBeNull();
    // Answers are delayed to whole steps, so that their duration reveals nothing.
    for (const { took } of [first, second]) expect(took).toBeGreaterThan(240);
    await projected();
    const [visit] = await visits();
    expect(visit).toMatchObject({
      student_id: known,
      aluno: 'Dona do Número',
      nome: 'dona',
      novo: false,
    });
    expect(await students()).toHaveLength(2);
  });

  it('from abroad belongs to the student who has the phone, however both typed it', async () => {
    const rui = { nome: 'Rui Costa', whatsapp: '+44 20 7946 0958' };
    const { id } = (await trainer.api.post('/students', rui)).body;
    await projected();
    const booked = { inicio: on(2)(9), nome: 'rui', whatsapp: '0044 (0)20 79460958' };
    expect((await visitors.book({ location_id, ...booked })).status).toBe(201);
    await projected();
    expect(await visits()).toMatchObject([{ student_id: id, whatsapp: '+442079460958', novo: false }]);
  });

  it('with the phone of students of other names is nobody’s until the trainer says whose it is', async () => {
    const [bia, caio] = [await agenda.student('Bia Souza'), await agenda.student('Caio Souza')];
    await projected();
    const book = async (nome: string, day: number) =>
      (await visitors.book({ location_id, inicio: on(day)(9), nome, whatsapp: '11943214321' })).body;
    const [first, second] = [await book('Ana Souza', 3), await book('Ana Souza', 4)];
    await projected();
    const found = await visits();
    expect(found).toMatchObject([
      { aluno: 'Ana Souza', novo: true },
      { aluno: 'Ana Souza', novo: false },
    ]);
    expect(found[0]!.de_quem.map(({ nome }) => nome)).toEqual(['Bia Souza', 'Caio Souza']);
    const confirm = (id: string, body: object) =>
      trainer.api.request<ProblemBody>('POST', `/api/v1/visits/${id}/confirm`, { body });
    expect((await confirm(first.id, {})).body.code).toBe('public_link.whose');
    const stranger = await trainer.api.post('/students', { nome: 'Outro', whatsapp: somePhone() });
    expect((await confirm(first.id, { student_id: stranger.body.id })).status).toBe(404);
    await trainer.api.post(`/students/${caio}/archive`);
    // Whoever the trainer may have got to know meanwhile is kept.
    await projected();
    expect((await confirm(first.id, { student_id: caio })).status).toBe(200);
    expect((await confirm(first.id, { student_id: bia })).body.code).toBe('public_link.confirmed_for_other');
    await projected();
    // What else waits of the same person is theirs too, and the one whom the booking made up is no student.
    expect(await visits()).toMatchObject([
      { id: second.id, student_id: caio, nome: 'Ana Souza', confirmado: false, de_quem: [] },
      { id: first.id, student_id: caio, aluno: 'Caio Souza', confirmado: true, inativo: false },
    ]);
    expect((await students()).map(({ nome }) => nome)).toEqual(['Bia Souza', 'Caio Souza', 'Outro']);
    expect((await visitors.move(second.token, on(5)(9))).status).toBe(200);
    const subject = `session:${found[0]!.session_id}`;
    expect(await toldOf(trainer.api, subject)).toContain(
      'Escolheu o aluno da reserva do link público, feita por Ana Souza',
    );
    await expectRebuildToEqualLive(app, 'visits');
  });

  it('with a student’s phone uses no credit of theirs, and is a new student’s if the trainer says so, once for all', async () => {
    const bia = await agenda.student('Bia Souza', await agenda.plan());
    await agenda.renew(bia);
    const book = async (day: number) =>
      (await visitors.book({ location_id, inicio: on(day)(9), nome: 'Ana', whatsapp: '11943214321' })).body;
    const first = await book(2);
    await projected();
    const { student_id: ana, session_id } = (await visits())[0]!;
    await agenda.complete(session_id);
    expect(await agenda.balance(bia)).toBe(4);
    await agenda.reopen(session_id);
    await trainer.api.post(`/visits/${first.id}/confirm`, { student_id: ana });
    await projected();
    const second = await book(4);
    await projected();
    expect((await visits())[0]).toMatchObject({ id: second.id, student_id: ana, de_quem: [] });
    await trainer.api.post(`/visits/${second.id}/confirm`);
    expect((await students()).map(({ nome }) => nome)).toEqual(['Ana', 'Bia Souza']);
  });

  it('finds the same new student in concurrent and later bookings, and reactivates an inactive one when confirmed', async () => {
    const whatsapp = somePhone();
    const answers = await Promise.all(
      [9, 11, 13].map((hour) => visitors.book({ location_id, inicio: on(3)(hour), whatsapp })),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    await projected();
    const [only, ...others] = await students();
    expect(others).toEqual([]);
    await trainer.api.post(`/students/${only!.id}/archive`);
    const { status, body } = await visitors.book({ location_id, inicio: on(4)(9), whatsapp });
    expect(status).toBe(201);
    await projected();
    // Typing a phone does not change the student who has it.
    expect(await students()).toEqual([]);
    const booked = (await visits()).filter(({ id }) => id === body.id);
    expect(booked).toMatchObject([{ student_id: only!.id, novo: false, inativo: true }]);
    await trainer.api.post(`/visits/${body.id}/confirm`);
    await projected();
    expect((await students()).map(({ id }) => id)).toEqual([only!.id]);
    expect((await visits()).some(({ inativo }) => inativo)).toBe(false);
  });

  it('with the phone of a forgotten person registers a new student', async () => {
    const whatsapp = somePhone();
    await visitors.book({ location_id, inicio: on(3)(9), whatsapp });
    await projected();
    const [before] = await students();
    await trainer.api.post(`/students/${before!.id}/forget`);
    expect((await visitors.book({ location_id, inicio: on(3)(9), whatsapp })).status).toBe(201);
    await projected();
    expect((await students()).map(({ id }) => id)).not.toContain(before!.id);
  });

  it('of one time by many at once succeeds once; the others are told the three nearest', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => visitors.book({ location_id, inicio: on(3)(10) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(39);
    for (const { body } of refused) {
      expect(body).toMatchObject({ code: 'public.taken', title: 'Esse horário acabou de ser ocupado' });
      expect(body.livres).toEqual([
        { inicio: on(3)(12), fim: on(3)(13) },
        { inicio: on(3)(13), fim: on(3)(14) },
        { inicio: on(3)(14), fim: on(3)(15) },
      ]);
    }
  });

  it('that is sent again gets its first answer, although the time is now taken', async () => {
    const key = randomUUID();
    const booking = { location_id, inicio: on(3)(9), whatsapp: somePhone() };
    const first = await visitors.book(booking, undefined, key);
    const again = await visitors.book(booking, undefined, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    await projected();
    expect(await visits()).toHaveLength(1);
  });

  it('of a blocked student is answered as if the time were taken', async () => {
    const whatsapp = somePhone();
    await visitors.book({ location_id, inicio: on(3)(9), whatsapp });
    await projected();
    const { student_id } = (await visits())[0]!;
    await trainer.api.put(`/students/${student_id}/visitor-block`, { bloqueado: true });
    const blocked = await visitors.book({ location_id, inicio: on(4)(9), whatsapp });
    const taken = await visitors.book({ location_id, inicio: on(3)(9) });
    const shape = ({ status, body }: typeof taken) => [
      status,
      body.code,
      body.title,
      body.detail,
      body.livres?.length,
    ];
    expect(shape(blocked)).toEqual(shape(taken));
    expect(await visits()).toHaveLength(1);
    await trainer.api.put(`/students/${student_id}/visitor-block`, { bloqueado: false });
    expect((await visitors.book({ location_id, inicio: on(4)(9), whatsapp })).status).toBe(201);
  });

  it('is refused at a time not offered, without consent, at another trainer’s location, with the hidden field, or with an invalid phone or the trainer’s', async () => {
    const other = await signUp(app);
    const elsewhere = await agendaOf(other.api).location();
    const ask = async (body: object) =>
      (await visitors.book({ location_id, inicio: on(3)(9), ...body })).status;
    expect(await ask({ inicio: on(3)(9, 20) })).toBe(409);
    expect(await ask({ inicio: on(3)(3) })).toBe(409);
    expect(await ask({ inicio: on(20)(9) })).toBe(409);
    expect(await ask({ consentimento: 0 })).toBe(400);
    expect(await ask({ location_id: elsewhere })).toBe(404);
    expect(await ask({ site: 'http://spam.example' })).toBe(409);
    expect(await ask({ whatsapp: '(11) 91234-5678' })).toBe(400);
    expect(await ask({ whatsapp: '(11) 99999-9999' })).toBe(400);
    await set({ whatsapp: '(11) 94444-1234' });
    expect(await ask({ whatsapp: '11944441234' })).toBe(422);
    await projected();
    expect(await visits()).toEqual([]);
  });

  it('is refused over 16 kB', async () => {
    expect((await visitors.book({ location_id, inicio: on(3)(9), nome: 'A'.repeat(17_000) })).status).toBe(
      413,
    );
  });
});
