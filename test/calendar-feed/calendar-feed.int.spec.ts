import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import type {
  CalendarFeed,
  StudentCalendar,
} from '../../backend/modules/calendar-links/calendar-links.api.js';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { seriesOf } from '../series/trainer.js';
import { toldOf } from '../support/history.js';

/** Sunday 1 November 2026. */
const clock = new SetClock(new Date(on(1)(6)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(1)(6));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana; "Souza", a\\b');
});

const settings = async () => (await trainer.api.get<CalendarFeed>('/calendar-feed')).body.feed;
const turnOn = async (com_nomes = true) => {
  await trainer.api.put('/calendar-feed', { com_nomes });
  return new URL((await settings())!.url).pathname;
};
/** The calendar at the address, requested without a session, once the trainer's own writes are projected. */
async function fetchFeed(path: string, headers: Record<string, string> = {}) {
  await settings();
  return new Client(app.url).request<string>('GET', path, { headers });
}

/** The text as another parser reads it. */
function eventsOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    return {
      uid: event.uid,
      sequence: Number(component.getFirstPropertyValue('sequence')),
      status: component.getFirstPropertyValue('status'),
      start: event.startDate.toJSDate().toISOString(),
      end: event.endDate.toJSDate().toISOString(),
      summary: event.summary,
      location: component.getFirstPropertyValue('location'),
    };
  });
}

const read = async (path: string) => eventsOf((await fetchFeed(path)).body);
const book = (day: number, more: object = {}) =>
  agenda.book({ student_id: ana, inicio: on(day)(7), fim: on(day)(8), ...more });

describe('the calendar at its address', () => {
  it('contains sessions that another parser can read: names as typed, times as instants', async () => {
    const location_id = await agenda.location('Parque, portão 3');
    const id = await book(3, { location_id });
    const path = await turnOn();
    const answer = await fetchFeed(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.body.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true);
    expect(eventsOf(answer.body)).toEqual([
      {
        uid: `${id}@rende`,
        sequence: 0,
        status: 'CONFIRMED',
        start: on(3)(7),
        end: on(3)(8),
        summary: 'Ana; "Souza", a\\b',
        location: 'Parque, portão 3',
      },
    ]);
  });

  it('raises SEQUENCE with every change, under the same UID, and contains cancelled sessions', async () => {
    const id = await book(3);
    const path = await turnOn();
    await agenda.patch(id, { inicio: on(4)(9), fim: on(4)(10) });
    await agenda.patch(id, { confirmado: false });
    expect(await read(path)).toMatchObject([
      { uid: `${id}@rende`, sequence: 2, start: on(4)(9), status: 'TENTATIVE' },
    ]);
    await agenda.cancel(id);
    expect(await read(path)).toMatchObject([{ uid: `${id}@rende`, sequence: 3, status: 'CANCELLED' }]);
    await agenda.remove(id);
    expect(await read(path)).toEqual([]);
    await expectRebuildToEqualLive(app, 'session-revisions');
    await expectRebuildToEqualLive(app, 'calendar-feed');
  });

  it('shows no names if that is switched off', async () => {
    await book(3, { location_id: await agenda.location('Casa da Ana') });
    const path = await turnOn(false);
    const { body } = await fetchFeed(path);
    expect(eventsOf(body)).toMatchObject([{ summary: 'Sessão', location: null }]);
    expect(body.replaceAll('Ana Personal', '')).not.toContain('Ana');
    await turnOn(true);
    expect((await fetchFeed(path)).body).toContain('Casa da Ana');
  });

  it('covers 90 days back and a year ahead', async () => {
    const days = (from: string, count: number) =>
      new Date(Date.parse(from) + count * 86_400_000).toISOString();
    const at = (start: string) =>
      agenda.book({
        student_id: ana,
        inicio: start,
        fim: new Date(Date.parse(start) + 3_600_000).toISOString(),
      });
    const path = await turnOn();
    const inside = [await at(days(on(1)(7), -89)), await at(days(on(1)(5), 365))];
    await at(days(on(1)(5), -90));
    await at(days(on(1)(7), 365));
    expect((await read(path)).map(({ uid }) => uid)).toEqual(inside.map((id) => `${id}@rende`));
  });

  it('is not sent again to clients that have it, until something changes', async () => {
    const id = await book(3);
    const path = await turnOn();
    const etag = (await fetchFeed(path)).headers.get('etag')!;
    const again = await fetchFeed(path, { 'If-None-Match': `"other", W/${etag}` });
    expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, undefined, etag]);
    clock.at = new Date(on(1)(9));
    expect((await fetchFeed(path, { 'If-None-Match': etag })).status).toBe(304);
    await agenda.patch(id, { inicio: on(4)(9), fim: on(4)(10) });
    expect((await fetchFeed(path, { 'If-None-Match': etag })).status).toBe(200);
  });

  it('is not found at renewed, revoked, unknown and malformed addresses, all with the same 404', async () => {
    await book(3);
    const first = await turnOn();
    const { body: renewed } = await trainer.api.post<{ anterior: string }>('/calendar-feed/renew');
    const second = new URL((await settings())!.url).pathname;
    const refused = async (path: string) => {
      const { status, body } = await fetchFeed(path);
      const { instance: _instance, ...said } = body as unknown as Record<string, unknown>;
      return { status, said };
    };
    const unknown = await refused(`/calendario/${'x'.repeat(32)}.ics`);
    expect(unknown.status).toBe(404);
    expect(await refused(first)).toEqual(unknown);
    expect(await refused(second.replace('.ics', ''))).toEqual(unknown);
    expect((await fetchFeed(second)).status).toBe(200);
    await trainer.api.post('/calendar-feed/restore', { id: renewed.anterior });
    expect((await fetchFeed(first)).status).toBe(200);
    expect(await refused(second)).toEqual(unknown);
    await trainer.api.delete('/calendar-feed');
    expect(await settings()).toBeNull();
    expect(await refused(first)).toEqual(unknown);
  });

  it('has an address that is stored only as a hash', async () => {
    const token = /([\w-]{32})\.ics$/.exec(await turnOn())![1]!;
    const rows = await database.query<{ text: string }>(
      `select to_jsonb(e)::text as text from events e where tenant_id = $1
       union all select to_jsonb(t)::text from calendar_feed_tokens t where tenant_id = $1
       union all select to_jsonb(f)::text from read.calendar_feed f where tenant_id = $1`,
      [trainer.tenantId],
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
  });

  it('is limited for each calendar, whatever its address', async () => {
    const path = await turnOn();
    const answers = await Promise.all(Array.from({ length: 61 }, () => fetchFeed(path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
    await trainer.api.post('/calendar-feed/renew');
    expect((await fetchFeed(await turnOn())).status).toBe(429);
  });
});

describe("a student's calendar at its address", () => {
  let student: Awaited<ReturnType<typeof studentAccount>>;
  let bia: string;

  beforeEach(async () => {
    bia = await agenda.student('Bia Rocha');
    student = await studentAccount(app, trainer, ana, 'Ana');
  });

  /** The student has no position for writes of others, so this reads as the trainer first. */
  const own = async () => {
    await caughtUp(database);
    return (await student.api.get<StudentCalendar>('/student/calendar-feed')).body.feed;
  };
  const open = async () => {
    await student.api.put('/student/calendar-feed', undefined);
    return new URL((await own())!.url).pathname;
  };
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    await caughtUp(database);
    return new Client(app.url).request<string>('GET', path, { headers });
  };
  const status = async (path: string) => (await ask(path)).status;

  it('contains only the own sessions, with trainer and location, under the UIDs of the agenda', async () => {
    const location_id = await agenda.location('Parque');
    const hour = { inicio: on(3)(7), fim: on(3)(8), location_id };
    const both = { ...hour, student_ids: [ana, bia], observacoes: 'joelho' };
    await trainer.api.post('/sessions/groups', both);
    const id = await book(4);
    const given = await book(8);
    await agenda.book({ student_id: bia, inicio: on(5)(7), fim: on(5)(8) });
    const path = await open();
    const { body, headers } = await ask(path);
    const found = eventsOf(body);
    expect(found).toMatchObject([
      { summary: 'Aula com Ana Personal', location: 'Parque', start: on(3)(7), status: 'CONFIRMED' },
      { uid: `${id}@rende`, sequence: 0, location: null, start: on(4)(7) },
      { uid: `${given}@rende` },
    ]);
    expect(found).toHaveLength(3);
    expect(body).not.toMatch(/Bia|joelho|Souza/);
    const etag = headers.get('etag')!;
    expect((await ask(path, { 'If-None-Match': etag })).status).toBe(304);
    await agenda.book({ student_id: bia, inicio: on(6)(7), fim: on(6)(8) });
    expect((await ask(path, { 'If-None-Match': etag })).status).toBe(304);
    await agenda.patch(id, { inicio: on(4)(9), fim: on(4)(10) });
    await agenda.cancel(id);
    await agenda.patch(given, { student_id: bia });
    const changed = await ask(path, { 'If-None-Match': etag });
    expect([changed.status, eventsOf(changed.body)]).toMatchObject([
      200,
      [{ start: on(3)(7) }, { uid: `${id}@rende`, sequence: 2, status: 'CANCELLED', start: on(4)(9) }],
    ]);
    await expectRebuildToEqualLive(app, 'student-calendar');
  });

  it('has an address that only the student can open, renew, revoke and restore', async () => {
    const first = await open();
    expect(await open()).toBe(first);
    const { body: renewed } = await student.api.post<{ anterior: string }>('/student/calendar-feed/renew');
    const second = new URL((await own())!.url).pathname;
    expect([await status(first), await status(second)]).toEqual([404, 200]);
    const other = await studentAccount(app, trainer, bia, 'Bia');
    const back = { id: renewed.anterior };
    for (const id of [renewed.anterior, (await own())!.id, randomUUID()]) {
      const refusal = await other.api.request('POST', '/api/v1/student/calendar-feed/restore', {
        body: { id },
      });
      expect(refusal).toMatchObject({ status: 404, body: { code: 'calendar_feed.not_found' } });
    }
    await other.api.post('/student/calendar-feed/renew', undefined, { status: 404 });
    expect((await other.api.get<StudentCalendar>('/student/calendar-feed')).body.feed).toBeNull();
    await other.api.delete('/student/calendar-feed');
    expect(await status(second)).toBe(200);
    await student.api.post('/student/calendar-feed/restore', back);
    expect([await status(first), await status(second)]).toEqual([200, 404]);
    await student.api.delete('/student/calendar-feed');
    expect([await own(), await status(first)]).toEqual([null, 404]);
    await student.api.post('/student/calendar-feed/restore', back);
    expect(await status(first)).toBe(200);
    expect(await toldOf(trainer.api, `student:${ana}`)).toEqual(
      expect.arrayContaining([
        'Gerou um link do calendário das aulas',
        'Desativou o link do calendário das aulas',
        'Voltou ao link anterior do calendário das aulas',
      ]),
    );
    const token = first.slice('/calendario/'.length, -'.ics'.length);
    const rows = await database.query<{ text: string }>(
      `select to_jsonb(e)::text as text from events e where tenant_id = $1
       union all select to_jsonb(t)::text from student_calendar_tokens t where tenant_id = $1
       union all select to_jsonb(f)::text from read.student_calendars f where tenant_id = $1`,
      [trainer.tenantId],
    );
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
  });

  it.each([
    ['the trainer ends the access', () => trainer.api.delete(`/students/${ana}/access`)],
    ['the trainer forgets the student', () => trainer.api.post(`/students/${ana}/forget`)],
    [
      'the student is no member any more',
      () => database.query('delete from memberships where user_id = $1', [student.userId]),
    ],
  ])('is not available any more when %s', async (_case, end) => {
    const path = await open();
    expect(await status(path)).toBe(200);
    await end();
    expect(await status(path)).toBe(404);
  });

  it('names the student in each of those of an account that is several', async () => {
    const path = await open();
    await agenda.book({ student_id: ana, inicio: on(3)(7), fim: on(3)(8) });
    const { body } = await trainer.api.post<NewInvite>(`/students/${bia}/invites`);
    await trainer.api.get(`/students/${bia}/access`);
    await student.api.post('/invites/accept', { token: body.inviteUrl.split('/').at(-1)! });
    await caughtUp(database);
    const calendar = (await ask(path)).body;
    expect(calendar).toContain('X-WR-CALNAME:Aulas de Ana; com Ana Personal');
    expect(eventsOf(calendar)).toMatchObject([{ summary: 'Aula de Ana; com Ana Personal' }]);
  });

  it('stays unavailable for the next user who becomes the student', async () => {
    const path = await open();
    await trainer.api.delete(`/students/${ana}/access`);
    student = await studentAccount(app, trainer, ana, 'Ana');
    expect([await own(), await status(path)]).toEqual([null, 404]);
    expect(await status(await open())).toBe(200);
  });

  it('is limited for each calendar', async () => {
    const path = await open();
    const answers = await Promise.all(
      Array.from({ length: 61 }, () => new Client(app.url).request('GET', path)),
    );
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1);
  });
});

describe('one session as a file', () => {
  it("contains the student's name for the trainer, the trainer's name for the student, and is for nobody else", async () => {
    const id = await book(3);
    const other = await agenda.book({
      student_id: await agenda.student('Bia'),
      inicio: on(3)(9),
      fim: on(3)(10),
    });
    const { headers, body } = await trainer.api.get<string>(`/sessions/${id}/calendar`);
    expect(headers.get('content-disposition')).toContain('.ics');
    expect(eventsOf(body)).toMatchObject([{ uid: `${id}@rende`, summary: 'Ana; "Souza", a\\b' }]);
    const student = await studentAccount(app, trainer, ana, 'Ana');
    const own = await student.api.get<string>(`/student/sessions/${id}/calendar`);
    expect(eventsOf(own.body)).toMatchObject([
      { uid: `${id}@rende`, summary: expect.stringMatching(/^Aula com /) },
    ]);
    expect(own.body).not.toContain('Ana;');
    await student.api.get(`/student/sessions/${other}/calendar`, { status: 404 });
    await student.api.get(`/student/sessions/${randomUUID()}/calendar`, { status: 404 });
  });
});

/** The times at which another parser shows the events of a text, including those of a rule. */
function timesOf(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never);
  return calendar
    .getAllSubcomponents('vevent')
    .flatMap((component) => {
      const event = new ICAL.Event(component);
      const length = event.endDate.toJSDate().getTime() - event.startDate.toJSDate().getTime();
      const next = event.iterator();
      const starts: Date[] = [];
      for (let at = next.next(); at; at = next.next()) starts.push(at.toJSDate());
      return starts.map((start) => ({
        inicio: start.toISOString(),
        fim: new Date(start.getTime() + length).toISOString(),
      }));
    })
    .toSorted((one, other) => (one.inicio < other.inicio ? -1 : 1));
}

describe('a series as a file', () => {
  const HOLIDAYS = ['2026-11-02', '2026-11-15', '2026-11-20', '2026-12-25', '2027-01-01'];
  const booked = async () =>
    (await seriesOf(trainer.api).sessions())
      .filter(({ serie_id, status }) => serie_id !== null && status !== 'cancelada')
      .map(({ inicio, fim }) => ({ inicio, fim }));
  const file = async (id: string) => (await trainer.api.get<string>(`/series/${id}/calendar`)).body;
  const start = (more: object = {}) =>
    seriesOf(trainer.api).start({
      student_id: ana,
      data: '2026-11-03',
      hora: '07:00',
      duracao: 60,
      dias: [2, 4],
      intervalo: 1,
      vezes: 8,
      ...more,
    });

  it('contains its rule, and sessions that were left out, moved or cancelled', async () => {
    const { id } = await start();
    const first = await file(id);
    expect(first).toContain('RRULE:FREQ=WEEKLY;UNTIL=20261126T100000Z;BYDAY=TU,TH');
    expect(eventsOf(first)).toMatchObject([{ uid: `${id}-1@rende`, sequence: 7, status: 'CONFIRMED' }]);
    expect(timesOf(first)).toEqual(await booked());
    const [, second, third, fourth] = await seriesOf(trainer.api).sessions();
    await agenda.patch(second!.id, { inicio: on(5)(9), fim: on(5)(10) });
    await agenda.cancel(third!.id);
    await agenda.remove(fourth!.id);
    const changed = await file(id);
    expect(timesOf(changed)).toEqual(await booked());
    expect(eventsOf(changed).map(({ uid }) => uid)).toEqual([`${id}-1@rende`, `${second!.id}@rende`]);
    await seriesOf(trainer.api).change(second!.id, 'todas', { inicio: on(5)(8), fim: on(5)(9) });
    const moved = await file(id);
    expect(timesOf(moved)).toEqual(await booked());
    expect(timesOf(moved)).toHaveLength(6);
  });

  it('keeps the UID of its rule and raises SEQUENCE, also when sessions are removed, so that saving it again replaces it', async () => {
    const { id } = await start();
    const ruleOf = async () => {
      const { uid, sequence } = eventsOf(await file(id)).find((one) => one.uid.startsWith(id))!;
      return { uid, sequence };
    };
    const uid = `${id}-1@rende`;
    expect(await ruleOf()).toEqual({ uid, sequence: 7 });
    const [first, second, third] = await seriesOf(trainer.api).sessions();
    await agenda.cancel(second!.id);
    expect(await ruleOf()).toEqual({ uid, sequence: 8 });
    await agenda.remove(third!.id);
    expect(await ruleOf()).toEqual({ uid, sequence: 9 });
    await agenda.patch(first!.id, { inicio: on(3)(6), fim: on(3)(7) });
    expect(await ruleOf()).toEqual({ uid, sequence: 10 });
  });

  it("begins its weeks on the zone's Sunday, and its days in UTC", async () => {
    const { id } = await start({
      data: '2026-11-01',
      hora: '22:30',
      dias: [0, 6],
      intervalo: 2,
      pular: HOLIDAYS,
    });
    const text = await file(id);
    expect(text).toMatch(/RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=\d+T013000Z;BYDAY=SU,MO;WKST=MO\r\n/);
    expect(timesOf(text)).toEqual(await booked());
  });

  it('contains the booked sessions of a series without an end, and is only for its trainer', async () => {
    const { id } = await start({ vezes: undefined, pular: HOLIDAYS });
    expect(timesOf(await file(id))).toEqual(await booked());
    expect((await booked()).length).toBeGreaterThan(20);
    const other = await signUp(app);
    await other.api.get(`/series/${id}/calendar`, { status: 404 });
    await trainer.api.get(`/series/${randomUUID()}/calendar`, { status: 404 });
  });
});
