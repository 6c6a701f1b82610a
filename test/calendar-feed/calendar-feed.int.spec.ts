import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import ICAL from 'ical.js';
import type { CalendarFeed } from '../../backend/modules/calendar-feed/calendar-feed.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';

/** Sunday 1 November 2026. */
const clock = new SetClock(new Date(on(1)(6)));
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ clock });
});

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
/** The address as a calendar program asks for it, without a session, once the trainer's own writes are projected. */
async function fetchFeed(path: string, headers: Record<string, string> = {}) {
  await settings();
  return new Client(app.url).request<string>('GET', path, { headers });
}

/** What another parser makes of the text. */
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
  it('says sessions so that another parser reads them: names as typed, times as instants', async () => {
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

  it('raises SEQUENCE with every change, under the same UID, and says what was cancelled', async () => {
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

  it('shows no name to those who may not see one', async () => {
    await book(3, { location_id: await agenda.location('Casa da Ana') });
    const path = await turnOn(false);
    const { body } = await fetchFeed(path);
    expect(eventsOf(body)).toMatchObject([{ summary: 'Sessão', location: null }]);
    expect(body.replaceAll('Ana Personal', '')).not.toContain('Ana');
    await turnOn(true);
    expect((await fetchFeed(path)).body).toContain('Casa da Ana');
  });

  it('reaches 90 days back and a year ahead', async () => {
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

  it('is not sent again to whoever has it, until something changes', async () => {
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

  it('ends with its address: renewed, revoked, unknown and malformed ones are one and the same 404', async () => {
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

  it('is kept as a hash alone', async () => {
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

  it('is limited for each calendar', async () => {
    const path = await turnOn();
    const answers = await Promise.all(Array.from({ length: 61 }, () => fetchFeed(path)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(1);
    expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('one session as a file', () => {
  it("is the trainer's with the student's name, the student's with the trainer's, and nobody else's", async () => {
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
