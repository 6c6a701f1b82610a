import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  defaultSettings,
  type PublicLink,
  type VisitList,
} from '../../backend/modules/public-link/public-link.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import type { RemindersWaiting } from '../../backend/modules/reminders/reminders.api.js';
import { VisitorLimits } from '../../backend/modules/public-link/visitor-limits.service.js';
import { playWaitlists } from '../../backend/modules/public-link/public-link.job.js';
import type { Waitlist } from '../../backend/modules/public-link/waitlist.api.js';
import { Outbox } from '../../backend/platform/mail/outbox.js';
import { weekdayAndTime } from '../../backend/platform/portuguese.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp, reacted } from '../proof/read-tables.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { mailFolder, nextMail, unreadMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { somePhone, visitorsOf } from './visitor.js';

/** Monday 2 November 2026, 8:00. */
const clock = new SetClock(new Date(on(2)(8)));
let trainer: Trainer;
let location_id: string;
let slug: string;
let visitors: ReturnType<typeof visitorsOf>;
/** The visitor's. */
let email: string;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(2)(8));
  trainer = await signUp(app, { nome: 'Ana Prado' });
  location_id = await agendaOf(trainer.api).location();
  await caughtUp(database);
  ({ slug } = (await trainer.api.get<PublicLink>('/public-link')).body);
  visitors = visitorsOf(app.url, slug);
  email = `${randomUUID()}@example.com`;
});

const visits = async () => (await trainer.api.get<VisitList>('/visits')).body.items;

const set = async (changes: object) => {
  await trainer.api.put('/public-link', { ...defaultSettings, ...changes });
  await caughtUp(database);
};

const openPage = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(app.url + path, {
    headers: { 'X-Forwarded-For': '198.51.100.7', ...headers },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};
const metas = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value,
    ]),
  );

describe('the page as a document', () => {
  it('has link previews, locations and next times without a script, and can be indexed if the trainer allows it', async () => {
    const texto = 'Força & "mobilidade" <b>já</b>';
    await set({ texto });
    await agendaOf(trainer.api).location('Praia');
    await caughtUp(database);
    const { nome } = (await visitors.page()).body;
    const page = await openPage(`/p/${slug}`);
    expect(metas(page.text)).toMatchObject({
      robots: 'noindex, nofollow',
      'og:title': `Agende com ${nome}`,
      'og:locale': 'pt_BR',
      'og:description': 'Força &amp; &quot;mobilidade&quot; &lt;b&gt;já&lt;/b&gt;',
      'og:url': expect.stringMatching(new RegExp(`/p/${slug}$`)),
      'og:image': expect.stringMatching(/^http:\/\/[^/]+\/icon-512\.png$/),
    });
    expect(page.text).toContain(`<title>Agende com ${nome}</title>`);
    expect(page.text).not.toContain('<b>já');
    expect(page.text.match(/<time datetime=/g)).toHaveLength(6);
    expect(page.text).toContain(`href="/p/${slug}/${location_id}"`);
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(page.headers.get('Content-Security-Policy')).toContain("script-src 'self';");
    const place = await openPage(`/p/${slug}/${location_id}`);
    expect(place.text.match(/type="radio"/g)).toHaveLength(21);
    // Each day has its address, which shows its times without a script.
    expect(place.text.match(/<fieldset[^>]*>/g)).toHaveLength(7);
    const day = await openPage(`/p/${slug}/${location_id}?dia=2026-11-04`);
    expect(day.text.match(/<fieldset data-day="[^"]*" *>/g)).toEqual([expect.stringContaining('2026-11-04')]);
    // Of the trainer, it says what the trainer wishes.
    expect(page.text + place.text).not.toMatch(/CREF|Primeira aula/);
    await set({ texto, cref: 'Cref: 012345-G/SP', primeira_aula: 8000, indexavel: true });
    const about = 'CREF 012345-G/SP · Primeira aula por R$\u00a080,00';
    const told = await openPage(`/p/${slug}`);
    expect(told.text).toContain(`${about} · Aulas de 60\u00a0min`);
    expect(metas(told.text)['og:description']).toBe(
      `${about}. Força &amp; &quot;mobilidade&quot; &lt;b&gt;já&lt;/b&gt;`,
    );
    expect((await openPage(`/p/${slug}/${location_id}`)).text).toContain(about);
    await set({ texto, cref: 'CREF Cref Crefito 3', primeira_aula: 0, indexavel: true });
    expect((await openPage(`/p/${slug}`)).text).toContain(
      'CREF Crefito 3 · Primeira aula grátis · Aulas de 60\u00a0min',
    );
    for (const path of [`/p/${slug}`, `/p/${slug}/${location_id}`])
      expect(metas((await openPage(path)).text).robots).toBe('index, follow');
    // Private pages are never indexed.
    expect(metas((await openPage(`/p/${slug}/${location_id}/espera`)).text).robots).toBe('noindex, nofollow');
  });

  it('shows the times of a wished part of the day first, and all where the trainer allows it', async () => {
    const horarios = [{ start_time: '06:00', end_time: '22:00', is_blocked: false }];
    await trainer.api.put('/availability/exceptions/2026-11-03', { horarios });
    await set({ dias: 2 });
    const shown = async (query: string) => {
      const { text } = await openPage(`/p/${slug}/${location_id}${query}`);
      const starts = [...text.matchAll(/name="inicio"\s+value="([^"]+)"/g)].map(([, start]) => start);
      return starts.filter((start) => start! > on(3)(0));
    };
    expect(await shown('')).toEqual([on(3)(6), on(3)(12), on(3)(18)]);
    expect(await shown('?periodo=noite')).toEqual([on(3)(18), on(3)(19), on(3)(20)]);
    expect(await shown('?todos=1')).toHaveLength(3);
    expect((await openPage(`/p/${slug}/${location_id}`)).text).not.toContain('Ver todos');
    await set({ dias: 2, ver_todos: true });
    expect(await shown('?todos=1')).toHaveLength(16);
    // A time that was not shown is as free as one that was.
    const { body } = await visitors.book({ location_id, inicio: on(3)(20) });
    await caughtUp(database);
    // Moving offers times in the same way.
    const moving = await openPage(`/p/reserva/${body.token}?periodo=noite&dia=2026-11-03`);
    expect(moving.text.match(/<(details|fieldset)[^>]* (open|data-day="2026-11-03") *>/g)).toHaveLength(2);
    expect(moving.text).toContain(`href="/p/reserva/${body.token}?todos=1"`);
    // As after a moving whose answer was lost.
    const reloaded = await openPage(`/p/reserva/${body.token}?em=${on(3)(20)}`);
    expect(reloaded.text).toContain('<summary>Remarcar');
    expect(reloaded.text).not.toMatch(/id="gone"|<details open/);
    // One that is not free any more is not chosen: the nearest are linked.
    const chosen = async (em: string) => {
      const { text } = await openPage(`/p/${slug}/${location_id}?em=${em}`);
      return [/"([^"]*)"\s+required checked/.exec(text)?.[1], text.match(/\?em=[^"]*/g)];
    };
    expect(await chosen(on(3)(18))).toEqual([on(3)(18), null]);
    expect(await chosen(on(3)(20))).toEqual([undefined, [18, 17, 16].map((hour) => `?em=${on(3)(hour)}`)]);
  });

  it('opens with a trailing slash or other case, and says so where there is no page', async () => {
    for (const path of [
      `/p/${slug}?fbclid=abc&igsh=x`,
      `/p/${slug.toUpperCase()}`,
      `/p/${slug}/`,
      `/p/${slug}/${location_id}//`,
      `/p/${slug}/${location_id}?em=nunca`,
      `/p/${slug}/${location_id}?em=1&em=2&utm_source=ig`,
      `/p/${slug}/${location_id}?em=${'9'.repeat(500)}`,
    ])
      expect([path, (await openPage(path)).text]).toEqual([
        path,
        expect.stringContaining('<h1>Ana Prado</h1>'),
      ]);
    const long = 'a'.repeat(5000);
    const lost = [
      '/p',
      '/p/ninguem',
      '/p/a%00b',
      `/p/${long}`,
      `/p/${slug}/${long}`,
      `/p/${slug}/${long}/espera`,
      `/p/reserva/${long}`,
      `/p/reserva/${long}/agenda.ics`,
      `/p/espera/${long}`,
      `/p/${slug}/a/b/c`,
    ];
    for (const path of lost) {
      const { status, headers, text } = await openPage(path);
      expect([path, status, headers.get('Content-Type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
      expect(text).toMatch(/<h1>(Personal não encontrado|Este local não está mais|Link inválido)/);
    }
    await set({ ativo: false, whatsapp: '(11) 94444-1234' });
    for (const path of [`/p/${slug}`, `/p/${slug}/${location_id}`, `/p/${slug}/${location_id}/espera`]) {
      const { status, text } = await openPage(path);
      expect([path, status, /<h1>(.*)<\/h1>/.exec(text)?.[1]]).toEqual([
        path,
        404,
        'Ana pausou os agendamentos',
      ]);
      expect(text).toContain('href="https://wa.me/5511944441234"');
    }
    await set({});
    const { text } = await openPage(`/p/${slug}/${randomUUID()}/espera`);
    expect(text).toContain(`<a class="button" href="/p/${slug}">Ver outros locais</a>`);
  });
});

describe('a visitor who gave an e-mail address', () => {
  it('gets one mail for each change, with the calendar file, and nothing that was typed', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9), email });
    const booked = await nextMail(email);
    expect(booked.subject).toBe('Horário reservado com Ana Prado');
    expect(booked.text).toContain('ter., 3 de nov. de 2026, 9:00, em Parque');
    expect(booked.text).toContain(`/p/reserva/${body.token}`);
    expect(booked.text).not.toContain('Carla');
    const files = (await readdir(mailFolder())).filter((name) => name.endsWith('.ics'));
    const calendars = await Promise.all(files.map((name) => readFile(join(mailFolder(), name), 'utf8')));
    expect(calendars.some((text) => text.includes(`UID:${body.id}@rende`))).toBe(true);

    await trainer.api.post(`/visits/${body.id}/confirm`);
    await trainer.api.post(`/visits/${body.id}/confirm`);
    expect((await nextMail(email)).subject).toBe('Horário confirmado com Ana Prado');
    await visitors.move(body.token, on(4)(10));
    const moved = await nextMail(email);
    expect(moved.subject).toBe('Sua aula com Ana Prado mudou de horário');
    expect(moved.text).toContain('qua., 4 de nov. de 2026, 10:00, em Parque.');
    await caughtUp(database);
    const { session_id } = (await trainer.api.get<VisitList>('/visits')).body.items[0]!;
    await trainer.api.patch(`/sessions/${session_id}`, {
      location_id: await agendaOf(trainer.api).location('Praia'),
    });
    const elsewhere = await nextMail(email);
    expect(elsewhere.subject).toBe('Sua aula com Ana Prado mudou de local');
    expect(elsewhere.text).toContain('O local mudou: qua., 4 de nov. de 2026, 10:00, em Praia.');
    await trainer.api.patch(`/sessions/${session_id}`, { observacoes: 'Trazer toalha' });
    await visitors.cancel(body.token);
    await visitors.cancel(body.token);
    expect((await nextMail(email)).subject).toBe('Reserva cancelada com Ana Prado');
    await reacted(database);
    expect(await unreadMail(email)).toEqual([]);
  });

  it('reads why the trainer declined, by mail and on the page, and is told when that is taken back', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9), email });
    await nextMail(email);
    const mensagem = 'Só atendo à tarde <b>neste</b> mês.';
    await trainer.api.post(`/visits/${body.id}/decline`, { mensagem });
    const declined = await nextMail(email);
    expect(declined.subject).toBe('Ana Prado não pode atender neste horário');
    expect(declined.text).toContain(`Mensagem de Ana Prado: “${mensagem}”`);
    await caughtUp(database);
    const page = await (await fetch(`${app.url}/p/reserva/${body.token}`)).text();
    expect(page).toContain('Só atendo à tarde &lt;b&gt;neste&lt;/b&gt; mês.');
    const [row] = await database.query<{ session_id: string }>(
      'select session_id from read.visits where id = $1',
      [body.id],
    );
    await trainer.api.post(`/sessions/${row!.session_id}/reopen`, {});
    expect((await nextMail(email)).subject).toBe('Sua reserva com Ana Prado voltou a valer');
    expect((await trainer.api.get<VisitList>('/visits')).body.items).toHaveLength(1);
  });

  it('gets one mail an hour about moves of a booking, the second with the newest time', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9), email });
    await nextMail(email);
    await visitors.move(body.token, on(4)(10));
    await nextMail(email);
    for (const inicio of [on(4)(11), on(5)(9)]) await visitors.move(body.token, inicio);
    await reacted(database);
    const waiting = await database.query<{ id: string }>(
      `update mails set next_attempt_at = now() where kind = 'visits.moved' and subject_id = $1
        and next_attempt_at between now() + interval '50 minutes' and now() + interval '61 minutes' returning id`,
      [body.id],
    );
    expect(waiting).toHaveLength(1);
    app.nest.get(Outbox).wake(waiting[0]!.id);
    expect((await nextMail(email)).text).toContain('O novo horário é qui., 5 de nov. de 2026, 9:00');
    expect(await unreadMail(email)).toEqual([]);
  });

  it('gets at most five mails a day of one trainer, whoever types the address', async () => {
    await set({ intervalo_min: 0 });
    const { horarios } = (await visitors.page()).body;
    for (const { inicio } of horarios.slice(0, 7))
      expect((await visitors.book({ location_id, inicio, email })).status).toBe(201);
    await reacted(database);
    const [mails] = await database.query<{ total: number }>(
      `select count(*)::int as total from mails where tenant_id = $1 and kind = 'visits.booked'`,
      [trainer.tenantId],
    );
    expect(mails!.total).toBe(5);
  });
});

describe('a private link', () => {
  it('is neither cached nor indexed', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9), nome: '<i>Zoé</i> & Cia' });
    await caughtUp(database);
    const page = await openPage(`/p/reserva/${body.token}?utm_source=whatsapp`);
    expect(page.status).toBe(200);
    expect(page.text).toContain('&lt;i&gt;Zoé&lt;/i&gt; &amp; Cia');
    expect(page.text).not.toContain('<i>Zoé');
    expect(metas(page.text).robots).toBe('noindex, nofollow');
    expect(page.headers.get('Cache-Control')).toBe('no-store');
    expect(page.headers.get('Referrer-Policy')).toBe('no-referrer');
    expect(page.text).toContain('dates=20261103T120000Z%2F20261103T130000Z');
    const file = await openPage(`/p/reserva/${body.token}/agenda.ics`);
    expect(file.headers.get('Cache-Control')).toBe('no-store');
    expect(file.text).toContain('DTSTART:20261103T120000Z');
    expect(file.text).toContain('STATUS:TENTATIVE');
  });

  it('moves the booking within the notice period, to be confirmed again, and cancels it', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9) });
    await trainer.api.post(`/visits/${body.id}/confirm`);
    const taken = await visitors.book({ location_id, inicio: on(3)(11) });
    expect((await visitors.move(body.token, on(3)(11))).status).toBe(409);
    expect((await visitors.move(body.token, on(4)(10))).body).toEqual({
      id: body.id,
      inicio: on(4)(10),
      fim: on(4)(11),
    });
    await caughtUp(database);
    const moved = (await visits()).find(({ id }) => id === body.id);
    expect(moved).toMatchObject({ inicio: on(4)(10), confirmado: false });
    expect((await visitors.cancel(body.token)).status).toBe(200);
    expect((await visitors.cancel(body.token)).status).toBe(200);
    expect((await visitors.move(body.token, on(4)(9))).status).toBe(409);
    await caughtUp(database);
    expect((await visits()).map(({ id }) => id)).toEqual([taken.body.id]);
  });

  it('is not found if invented, and changes nothing when it is too late', async () => {
    expect((await visitors.cancel('x'.repeat(43))).status).toBe(404);
    const { body } = await visitors.book({ location_id, inicio: on(3)(9) });
    await set({ antecedencia_min: 24 * 60 });
    clock.at = new Date(on(2)(12));
    expect((await visitors.cancel(body.token)).body.code).toBe('public.visit_over');
    expect((await visitors.move(body.token, on(5)(9))).body.code).toBe('public.visit_over');
    const late = await openPage(`/p/reserva/${body.token}`);
    expect(late.text).toContain('Para remarcar ou cancelar, fale com o personal.');
    expect(late.text).toContain('Guarde o link desta página para ver a reserva.');
    expect(late.text).not.toContain('<form');
  });

  it('moves nothing while the page is switched off, or for a blocked student', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9) });
    const ways = async () => (await openPage(`/p/reserva/${body.token}`)).text.match(/<form id="\w+"/g);
    expect(await ways()).toEqual(['<form id="move"', '<form id="cancel"']);
    await set({ ativo: false });
    expect(await ways()).toEqual(['<form id="cancel"']);
    expect((await visitors.move(body.token, on(4)(9))).body.code).toBe('public.visit_over');
    await set({});
    const { student_id } = (await visits())[0]!;
    await trainer.api.put(`/students/${student_id}/visitor-block`, { bloqueado: true });
    expect((await visitors.move(body.token, on(4)(9))).body.code).toBe('public.taken');
    await trainer.api.put(`/students/${student_id}/visitor-block`, { bloqueado: false });
    expect((await visitors.move(body.token, on(4)(9))).status).toBe(200);
    await set({ ativo: false });
    expect((await visitors.cancel(body.token)).status).toBe(200);
  });

  it('shows the phone of the trainer’s account until settings are saved, then the saved one', async () => {
    const own = await signUp(app, { nome: 'Bruno Reis', telefone: '(11) 94444-1234' });
    const place = await agendaOf(own.api).location();
    const address = `bruno-${randomUUID().slice(0, 8)}`;
    await own.api.put('/public-link/slug', { slug: address });
    await caughtUp(database);
    const theirs = visitorsOf(app.url, address);
    const wish = { location_id: place, inicio: on(3)(9) };
    expect((await theirs.book({ ...wish, whatsapp: '11944441234' })).body.code).toBe('public.trainers_phone');
    const { body } = await theirs.book(wish);
    const written = async () => {
      await caughtUp(database);
      return (await openPage(`/p/reserva/${body.token}`)).text.match(/wa\.me\/\d+/g);
    };
    expect(await written()).toEqual(['wa.me/5511944441234']);
    await own.api.put('/public-link', { ...defaultSettings, whatsapp: '(11) 95555-1234' });
    expect(await written()).toEqual(['wa.me/5511955551234']);
    await own.api.put('/public-link', defaultSettings);
    expect(await written()).toBeNull();
    await expectRebuildToEqualLive(app, 'public-links');
  });

  it('is stored as a hash', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(3)(9) });
    const rows = await database.query<{ found: boolean }>(
      `select exists (select from events where data::text like $1) or exists (select from idempotency_keys where answer::text like $1)
        as found`,
      [`%${body.token}%`],
    );
    expect(rows).toEqual([{ found: false }]);
    const hash = createHash('sha256').update(body.token).digest('hex');
    const kept = await database.query(
      `select encode(token_hash, 'hex') as hash from visitor_links where id = $1`,
      [body.id],
    );
    expect(kept).toEqual([{ hash }]);
  });
});

describe('the waitlist', () => {
  const evenings = { de: '2026-11-03', ate: '2026-11-06', periodos: ['noite'] };
  const wait = (wish: object = {}) => {
    // Later by the clock than the one before.
    clock.at = new Date(clock.at.getTime() + 1000);
    return visitors.wait({ location_id, ...evenings, ...wish });
  };
  const list = async () => (await trainer.api.get<Waitlist>('/waitlist')).body.items;
  const offers = async () => (await list()).map(({ oferta }) => oferta?.inicio ?? null);
  const play = async () => {
    await app.run(playWaitlists.Handler);
  };
  /** Opens one hour in the evening of that day, with nothing else open. */
  const open = async (day: number) => {
    const horarios = [{ start_time: '18:00', end_time: '19:00', is_blocked: false }];
    await trainer.api.put(`/availability/exceptions/2026-11-0${day}`, { horarios });
  };
  const toSend = async () => {
    await caughtUp(database);
    return (await trainer.api.get<RemindersWaiting>('/reminders/waiting')).body.total;
  };
  const notices = async () => {
    await reacted(database);
    return (await trainer.api.get<NotificationPage>('/notifications')).body.items;
  };
  const mark = (id: string, change: object, status = 200) =>
    trainer.api.put(`/waitlist/${id}/sent`, change, { status });

  beforeEach(async () => {
    await set({ por_dia: 24 });
  });

  it('offers a freed time to one person after another, holds it meanwhile, and accepts each link once', async () => {
    const [first, second] = [await wait({ email }), await wait()];
    expect([first.status, second.status]).toEqual([201, 201]);
    await caughtUp(database);
    expect((await nextMail(email)).text).toContain(`/p/espera/${first.body.token}`);
    await open(4);
    await Promise.all([play(), play()]);
    expect(await offers()).toEqual([on(4)(18), null]);
    const { text } = await nextMail(email);
    expect(text).toContain('qua., 4 de nov. de 2026, 18:00, em Parque');
    expect(text).toContain(`/p/espera/${first.body.token}?oferta=1`);
    const page = await (await fetch(`${app.url}/p/espera/${first.body.token}?oferta=1`)).text();
    expect(page).toContain('Quero este horário');
    // A held time is not free for others.
    expect((await visitors.page()).body.horarios.map(({ inicio }) => inicio)).not.toContain(on(4)(18));
    expect((await visitors.book({ location_id, inicio: on(4)(18) })).status).toBe(409);
    expect((await visitors.take(second.body.token, 1)).body.code).toBe('public.offer_over');

    clock.at = new Date(on(2)(9, 1));
    // Too late, although the offer was not ended yet.
    expect((await visitors.take(first.body.token, 1)).body.code).toBe('public.offer_over');
    await play();
    expect(await offers()).toEqual([null, on(4)(18)]);
    const { link } = (await list())[1]!.oferta!;
    expect(link).toContain('https://wa.me/55');
    // With its day: an offer of the evening stands until the next morning.
    expect(decodeURIComponent(link!)).toContain('É seu se responder até seg., 2 de nov., 10:01:');
    expect((await visitors.take(first.body.token, 1)).body.code).toBe('public.offer_over');
    const passed = await (await fetch(`${app.url}/p/espera/${first.body.token}?oferta=1`)).text();
    expect(passed).toContain('Esta oferta expirou');
    expect((await visitors.take(second.body.token, 2)).body.code).toBe('public.offer_over');
    const taken = await Promise.all([1, 2, 3].map(() => visitors.take(second.body.token, 1)));
    expect(taken.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    await caughtUp(database);
    const [visit] = (await trainer.api.get<VisitList>('/visits')).body.items;
    expect(visit).toMatchObject({ inicio: on(4)(18), nome: 'Duda Espera', confirmado: false });
    expect((await list()).map(({ id }) => id)).toEqual([first.body.id]);
    const { token } = taken.find(({ status }) => status === 201)!.body;
    expect((await fetch(`${app.url}/p/reserva/${token}`)).status).toBe(200);
    const query = { subject: `student:${visit!.student_id}` };
    const { items } = (await trainer.api.get<HistoryPage>('/history', { query })).body;
    const said = items.map(({ texto }) => texto).join('\n');
    expect(said).toContain('Aceitou o horário oferecido pela lista de espera');
    expect(said).toContain(
      'Entrou na lista de espera pelo link público como Duda Espera: de 03/11/2026 a 06/11/2026',
    );
    await expectRebuildToEqualLive(app, 'waitlist');
  });

  it('has the trainer send what no mail tells, in the order of the queue, however late', async () => {
    const [{ body }] = [await wait(), await wait()];
    await open(6);
    await play();
    expect(await notices()).toMatchObject([
      {
        titulo: 'Abriu um horário para Duda Espera',
        texto: expect.stringMatching(/ 18:00\. Envie a oferta pelo WhatsApp\.$/),
      },
    ]);
    // Its hour passes. It stands, and nobody else whom the trainer has to tell gets it; who opens the page can book the time.
    const isFree = async () =>
      (await visitors.page()).body.horarios.some(({ inicio }) => inicio === on(6)(18));
    expect(await isFree()).toBe(false);
    clock.at = new Date(clock.at.getTime() + 3_601_000);
    await play();
    expect(await offers()).toEqual([on(6)(18), null]);
    expect([await toSend(), await isFree()]).toEqual([1, true]);
    expect((await visitors.take(body.token, 1)).body.code).toBe('public.offer_over');
    // Taken by the trainer, and free again: it is offered again.
    const agenda = agendaOf(trainer.api);
    const student_id = await agenda.student('Bia');
    const busy = await agenda.book({ student_id, location_id, inicio: on(6)(18), fim: on(6)(19) });
    await mark(body.id, { oferta: 1, enviada: true }, 409);
    await play();
    expect([await offers(), await notices()]).toEqual([[null, null], []]);
    await agenda.cancel(busy);
    await play();
    const [{ oferta }] = (await list()) as [Waitlist['items'][number]];
    expect(oferta).toMatchObject({ numero: 2, enviada: false });
    expect(decodeURIComponent(oferta!.link!)).toContain(oferta!.texto);
    await mark(body.id, { oferta: 1, enviada: true }, 409);
    // Sent hours later: the hour to answer begins then, as the message says.
    clock.at = new Date(clock.at.getTime() + 4 * 3_600_000);
    const until = new Date(clock.at.getTime() + 3_600_000).toISOString();
    const said = decodeURIComponent((await list())[0]!.oferta!.link!);
    expect(said).toContain(`responder até ${weekdayAndTime(until, 'America/Sao_Paulo')}:`);
    await mark(body.id, { oferta: 2, enviada: true });
    await caughtUp(database);
    expect((await list())[0]!.oferta!.ate).toBe(until);
    const held = await database.query(
      `select ate from waitlist_offers where wait_id = $1 and ate = $2::timestamptz`,
      [body.id, until],
    );
    expect([held.length, await isFree()]).toEqual([1, false]);
    expect([await toSend(), await notices()]).toEqual([0, []]);
    await mark(body.id, { oferta: 2, enviada: false });
    expect(await toSend()).toBe(1);
    await mark(body.id, { oferta: 2, enviada: true });
    clock.at = new Date(clock.at.getTime() + 3_601_000);
    await play();
    const query = { subject: `student:${(await list())[0]!.student_id}` };
    const { items } = (await trainer.api.get<HistoryPage>('/history', { query })).body;
    expect(items.slice(0, 2).map(({ texto }) => texto)).toEqual([
      'Oferta de sex., 6 de nov. de 2026, 18:00 expirou sem resposta',
      `Enviou pelo WhatsApp a oferta de sex., 6 de nov. de 2026, 18:00`,
    ]);
    expect(await offers()).toEqual([null, on(6)(18)]);
    await expectRebuildToEqualLive(app, 'waitlist');
  });

  it('has the trainer send an offer that no mail tells, because ten went to the address that day', async () => {
    const { body } = await wait({ email });
    await nextMail(email);
    const limits = app.nest.get(VisitorLimits);
    for (let sent = 1; sent < 10; sent++) expect(await limits.mail(email)).toBe(true);
    await open(3);
    await play();
    expect(await notices()).toMatchObject([{ titulo: 'Abriu um horário para Duda Espera' }]);
    expect(await toSend()).toBe(1);
    expect(await list()).toMatchObject([{ por_email: false, oferta: { numero: 1, enviada: false } }]);
    expect(await unreadMail(email)).toEqual([]);
    clock.at = new Date(on(3)(18, 1));
    expect(await toSend()).toBe(0);
    await play();
    expect(await list()).toMatchObject([{ id: body.id, por_email: true, oferta: null }]);
    const query = { subject: `student:${(await list())[0]!.student_id}` };
    const { items } = (await trainer.api.get<HistoryPage>('/history', { query })).body;
    expect(items.slice(0, 2).map(({ texto }) => texto)).toEqual([
      'Oferta de ter., 3 de nov. de 2026, 18:00 expirou sem ser enviada',
      'Oferta de ter., 3 de nov. de 2026, 18:00 não foi por e-mail',
    ]);
    await expectRebuildToEqualLive(app, 'waitlist');
  });

  it('shows the offer that stands now to who opens the link of an earlier one', async () => {
    const [one, other] = [await wait({ email }), await wait()];
    await open(3);
    await play();
    expect((await visitors.refuse(one.body.token, 1)).status).toBe(200);
    await open(4);
    await play();
    const opened = async (token: string, oferta: number) =>
      (await openPage(`/p/espera/${token}?oferta=${oferta}`)).text;
    const page = await opened(one.body.token, 1);
    expect(page).toContain('<h1>Abriu outro horário</h1>');
    expect(page).toContain(`<time datetime="${on(4)(18)}"`);
    expect(page).toContain('data-offer="2"');
    expect(page).not.toContain(on(3)(18));
    // The time that the other person was offered is shown to that person alone.
    const others = await opened(other.body.token, 1);
    expect(others).toContain(on(3)(18));
    expect(others).not.toContain(on(4)(18));
  });

  it('continues with the next person when one is skipped, declines, leaves or is forgotten', async () => {
    const people = [await wait(), await wait(), await wait(), await wait()];
    await open(4);
    await play();
    const ids = (await list()).map(({ id }) => id);
    expect(ids).toEqual(people.map(({ body }) => body.id));
    await trainer.api.put(`/waitlist/${ids[0]}/skip`, { pulado: true });
    expect(await offers()).toEqual([null, on(4)(18), null, null]);
    await trainer.api.put(`/waitlist/${ids[0]}/skip`, { pulado: false });
    expect((await visitors.refuse(people[1]!.body.token, 1)).status).toBe(200);
    await caughtUp(database);
    // The person to whom it was offered before is not asked again.
    expect(await offers()).toEqual([null, null, on(4)(18), null]);
    expect((await visitors.leave(people[2]!.body.token)).status).toBe(200);
    expect((await visitors.leave(people[2]!.body.token)).status).toBe(200);
    await caughtUp(database);
    expect(await offers()).toEqual([null, null, on(4)(18)]);
    await trainer.api.post(`/students/${(await list())[2]!.student_id}/forget`);
    await play();
    expect(await offers()).toEqual([null, null]);
    expect((await visitors.page()).body.horarios.map(({ inicio }) => inicio)).toContain(on(4)(18));
    expect((await fetch(`${app.url}/p/espera/${people[3]!.body.token}`)).status).toBe(404);
    clock.at = new Date(on(7)(8));
    await play();
    expect(await list()).toEqual([]);
  });

  it('lets who wants none of the free times wait for others, which alone are offered', async () => {
    const wish = { periodos: ['manha'], de: '2026-11-04', ate: '2026-11-04', nenhum_serve: true };
    const { status, body } = await wait(wish);
    expect(status).toBe(201);
    expect((await openPage(`/p/espera/${body.token}`)).text).toContain('Ana manda a oferta pelo WhatsApp.');
    await play();
    expect(await offers()).toEqual([null]);
    const horarios = [{ start_time: '06:00', end_time: '07:00', is_blocked: false }];
    await trainer.api.put('/availability/exceptions/2026-11-04', { horarios });
    await play();
    expect(await offers()).toEqual([on(4)(6)]);
  });

  it('is only for times that cannot be booked, and does not tell blocked visitors so', async () => {
    const mornings = await wait({ periodos: ['manha'] });
    expect([mornings.status, mornings.body.code]).toEqual([409, 'public.times_free']);
    expect(mornings.body.livres!.map(({ inicio }) => inicio)).toEqual([on(3)(9), on(3)(10), on(3)(11)]);
    expect((await wait({ de: '2026-11-01', ate: '2026-11-01' })).body.code).toBe('public.days_over');
    expect((await wait({ de: '2026-11-05', ate: '2026-11-04' })).status).toBe(422);
    expect((await wait({ site: 'http://spam.example' })).status).toBe(409);
    expect((await wait({ nome: 'A'.repeat(10_000) })).status).toBe(400);
    await set({ por_dia: 24, whatsapp: '(11) 94444-1234' });
    expect((await wait({ whatsapp: '11944441234' })).status).toBe(422);
    const whatsapp = somePhone();
    await visitors.book({ location_id, inicio: on(3)(9), whatsapp });
    await caughtUp(database);
    const { student_id } = (await trainer.api.get<VisitList>('/visits')).body.items[0]!;
    await trainer.api.put(`/students/${student_id}/visitor-block`, { bloqueado: true });
    const inactive = await wait();
    await caughtUp(database);
    await trainer.api.post(`/students/${(await list())[0]!.student_id}/archive`);
    const [blocked, other] = [await wait({ whatsapp }), await wait()];
    expect(Object.keys(blocked.body)).toEqual(Object.keys(other.body));
    expect(blocked.status).toBe(other.status);
    await open(4);
    await play();
    expect((await list()).map(({ id, oferta }) => [id, oferta?.inicio])).toEqual([
      [inactive.body.id, on(4)(18)],
      [other.body.id, undefined],
    ]);
    expect((await visitors.refuse(inactive.body.token, 1)).status).toBe(200);
    await caughtUp(database);
    await trainer.api.put('/public-link', { ...defaultSettings, ativo: false });
    expect((await visitors.take(other.body.token, 1)).body.code).toBe('public.paused');
    await play();
    expect((await visitors.take(other.body.token, 1)).status).toBe(409);
  });
});
