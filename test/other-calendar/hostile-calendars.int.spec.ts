import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { WeekCopyPreview } from '../../backend/modules/agenda/week-copy.api.js';
import { CalendarReader } from '../../backend/modules/other-calendar/calendar-reader.service.js';
import {
  CalendarSource,
  SourceFailure,
} from '../../backend/modules/other-calendar/calendar-source.service.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import type { OtherCalendar } from '../../backend/modules/other-calendar/other-calendar.api.js';
import {
  OtherCalendarJob,
  readDueCalendars,
  readOtherCalendar,
} from '../../backend/modules/other-calendar/other-calendar.job.js';
import type { FreeTimesAnswer } from '../../backend/modules/agenda/free-times.api.js';
import { Config, readConfig } from '../../backend/platform/config/env.js';
import { Metrics } from '../../backend/platform/ops/metrics.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { SetClock } from '../support/clock.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine that answers as told. */
async function serve(answer: Answer): Promise<string> {
  const server = createServer((request, response) => answer(request, response));
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const event = (start: string, end: string, ...more: string[]) =>
  ['BEGIN:VEVENT', `UID:${start}`, `DTSTART:${start}`, `DTEND:${end}`, ...more, 'END:VEVENT'].join('\r\n');
const calendar = (...events: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events, 'END:VCALENDAR', ''].join('\r\n');
/** 3 November, 10:00 to 11:00 in São Paulo. */
const meeting = calendar(event('20261103T130000Z', '20261103T140000Z'));

let answer: Answer;
let asked: string[];

const origin = await serve((request, response) => {
  asked.push(request.url!);
  answer(request, response);
});
/** Another port of this machine, which is not allowed. */
const inside = await serve((_request, response) => response.end(meeting));

beforeEach(() => {
  asked = [];
  answer = (_request, response) => response.end(meeting);
});

const redirectTo =
  (location: string): Answer =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

async function textOf(parts: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const part of parts) text += part.toString();
  return text;
}

/** Counts, without keeping anything. */
async function lengthOf(parts: AsyncIterable<Buffer>): Promise<string> {
  let bytes = 0;
  for await (const part of parts) bytes += part.length;
  return String(bytes);
}

describe('fetching a calendar', () => {
  const configOf = (calendarTestOrigin: string | undefined) =>
    Object.assign(new Config(), { calendarTestOrigin });
  const sourceOf = (calendarTestOrigin: string | undefined) =>
    new CalendarSource(configOf(calendarTestOrigin));
  const fetched = (link: string, source = sourceOf(origin), take = textOf) =>
    source.fetch(link, take).catch((error: unknown) => {
      if (!(error instanceof SourceFailure)) throw error;
      return error.status === undefined ? error.kind : `${error.kind} ${error.status}`;
    });

  it('returns the text, also after three redirects, and compressed', async () => {
    expect(await fetched(`${origin}/a.ics`)).toBe(meeting);
    answer = (request, response) => {
      const hop = Number(request.url!.slice(1));
      if (hop < 3) redirectTo(`/${hop + 1}`)(request, response);
      else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(meeting));
    };
    expect(await fetched(`${origin}/0`)).toBe(meeting);
  });

  it('follows no further redirects', async () => {
    answer = redirectTo('/again');
    expect(await fetched(`${origin}/`)).toBe('redirecionamentos');
    expect(asked).toHaveLength(4);
  });

  it.each([
    'http://127.0.0.1:1/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://0.0.0.0/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://localhost/',
    'http://calendar.google.com/',
    'https://calendar.google.com:8443/',
  ])('is refused from %s, typed or by a redirect', async (address) => {
    expect(await fetched(address)).toBe('endereco');
    answer = redirectTo(address);
    expect(await fetched(`${origin}/`)).toBe('endereco');
  });

  it('is refused from other ports of this machine, and from all of them without the test setting', async () => {
    expect(await fetched(inside)).toBe('endereco');
    answer = redirectTo(inside);
    expect(await fetched(`${origin}/`)).toBe('endereco');
    expect(await fetched(origin, sourceOf(undefined))).toBe('endereco');
  });

  it('is limited to 30 MB, compressed or not', async () => {
    const most = 30 * 1024 * 1024;
    const counted = () => fetched(`${origin}/`, undefined, lengthOf);
    answer = (_request, response) => response.end(Buffer.alloc(most, 'x'));
    expect(await counted()).toBe(String(most));
    answer = (_request, response) => response.end(Buffer.alloc(most + 1, 'x'));
    expect(await counted()).toBe('tamanho');
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(most);
    const before = process.memoryUsage().rss;
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    expect(await counted()).toBe('tamanho');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('ends in time, from a server that never answers or never ends', async () => {
    const impatient = new (class extends CalendarSource {
      protected override readonly mostMs = 1_500;
    })(configOf(origin));
    answer = () => undefined;
    expect(await fetched(`${origin}/`, impatient)).toBe('tempo');
    answer = (_request, response) => {
      const drip = setInterval(() => response.write('x'), 50);
      response.once('close', () => clearInterval(drip));
    };
    expect(await fetched(`${origin}/`, impatient)).toBe('tempo');
  });

  it('fails with a status, a broken stream, or an unknown encoding', async () => {
    answer = (_request, response) => response.writeHead(404).end();
    expect(await fetched(`${origin}/`)).toBe('resposta 404');
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('not gzip');
    expect(await fetched(`${origin}/`)).toBe('formato');
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x');
    expect(await fetched(`${origin}/`)).toBe('formato');
    answer = (request) => request.socket.destroy();
    expect(await fetched(`${origin}/`)).toBe('conexao');
  });

  it('is allowed from this machine only outside of production, and only from this machine', async () => {
    const database = await testDatabase();
    const config = (more: Record<string, string>) => readConfig(environmentFor(database, more));
    expect(config({ CALENDAR_TEST_ORIGIN: origin }).calendarTestOrigin).toBe(origin);
    expect(() => config({ CALENDAR_TEST_ORIGIN: origin, NODE_ENV: 'production' })).toThrow(
      'CALENDAR_TEST_ORIGIN',
    );
    expect(() => config({ CALENDAR_TEST_ORIGIN: 'http://10.0.0.1' })).toThrow('CALENDAR_TEST_ORIGIN');
  });
});

describe('parsing a calendar', () => {
  /** Parts that end anywhere. */
  const partsOf = (text: string) =>
    Readable.from(text.match(/[^]{1,100}/g) ?? []).map((part: string) =>
      Buffer.from(part),
    ) as AsyncIterable<Buffer>;
  const window = { from: Date.parse(on(1)(0)), to: Date.parse(on(30)(0)), zone: 'America/Sao_Paulo' };

  it('is stopped if it takes too long, and does not block the process', async () => {
    const impatient = new (class extends CalendarReader {
      protected override readonly readMs = 1;
    })();
    await expect(impatient.read(window, partsOf(meeting))).rejects.toMatchObject({ kind: 'repeticoes' });
    const { busy } = await new CalendarReader().read(window, partsOf(meeting));
    expect(busy).toHaveLength(1);
  });

  it.each([
    ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    ['RRULE:FREQ=SECONDLY;INTERVAL=1'],
    ['RRULE:FREQ=DAILY;COUNT=999999999'],
    ['RRULE:FREQ=MINUTELY;BYHOUR=25'],
  ])('of %s ends within its time', async (rule) => {
    const text = calendar(event('19700101T000000Z', '19700101T000001Z', rule));
    const { busy, ignored } = await new CalendarReader().read(window, partsOf(text));
    expect(busy.length + ignored).toBeLessThanOrEqual(1);
  });
});

describe('another calendar', () => {
  const clock = new SetClock(new Date(on(1)(6)));
  let database: TestDatabase;
  let app: TestApp;
  let trainer: Trainer;
  let agenda: ReturnType<typeof agendaOf>;
  let ana: string;

  beforeAll(async () => {
    database = await testDatabase();
    app = await startApp({ clock, env: { CALENDAR_TEST_ORIGIN: origin }, byHand: [readDueCalendars] });
  });

  beforeEach(async () => {
    trainer = await signUp(app);
    agenda = agendaOf(trainer.api);
    ana = await agenda.student('Ana Souza');
  });

  const state = async () => (await trainer.api.get<OtherCalendar>('/other-calendar')).body.calendario;
  /** Connecting has it read by a job, at any time. */
  const readOnce = () =>
    eventually(async () => {
      const calendar = await state();
      return Boolean(calendar?.lido_em ?? calendar?.falha);
    }, true);
  const readNow = async () => {
    await caughtUp(database);
    await readOnce();
    await app.nest.get(OtherCalendarJob).read(trainer.tenantId, true);
  };
  const link = async (path = '/basic.ics') => {
    await trainer.api.put('/other-calendar', { link_ics: `${origin}${path}` });
    await readNow();
  };
  const booking = { inicio: on(3)(10, 30), fim: on(3)(11, 30) };
  const starts = async () =>
    (
      await trainer.api.get<FreeTimesAnswer>('/free-times', {
        query: { from: on(3)(9), to: on(3)(12), minutos: 60 },
      })
    ).body.inicios;

  it('blocks times: they are not free, a booking names the obstacle, and the trainer may overrule it', async () => {
    await link();
    expect(await state()).toMatchObject({ servidor: '127.0.0.1', ocupados: 1, falha: null });
    expect(await starts()).toEqual([on(3)(9), on(3)(11)]);
    const refusal = await agenda.refused(409, 'POST', '/sessions', { student_id: ana, ...booking });
    expect(refusal).toMatchObject({
      code: 'agenda.other_calendar',
      detail: 'Ocupado no outro calendário das 10:00 às 11:00. Escolha outro horário ou agende mesmo assim.',
      livres: [{ inicio: on(3)(11) }, { inicio: expect.any(String) }, { inicio: expect.any(String) }],
    });
    await agenda.book({ student_id: ana, ...booking, permitir_conflito: true });
  });

  it('is named in free times and in the preview of a copied week', async () => {
    await link();
    const { body } = await trainer.api.get<FreeTimesAnswer>('/free-times', {
      query: { from: on(3)(9), to: on(3)(10, 30) },
    });
    expect(body.bloqueios).toEqual([
      { inicio: on(3)(10), fim: on(3)(10, 30), tipo: 'outro_calendario', descricao: null },
    ]);
    await agenda.get(await agenda.book({ student_id: ana, inicio: on(-4)(10), fim: on(-4)(11) }));
    const preview = await trainer.api.get<WeekCopyPreview>('/sessions/week-copy', {
      query: { semana: '2026-10-27' },
    });
    expect(preview.body.items.map(({ obstaculos }) => obstaculos)).toEqual([
      [{ tipo: 'ocupado', texto: 'Ocupado no outro calendário das 10:00 às 11:00' }],
    ]);
  });

  it('is not in the way of sessions that return when a vacation is undone, which says that it was busy', async () => {
    const days = { start_date: '2026-11-03', end_date: '2026-11-03' };
    const session = await agenda.book({ student_id: ana, ...booking });
    const { id } = (await trainer.api.post<{ id: string }>('/vacations', { ...days, cancelar: [session] }))
      .body;
    await link();
    expect((await trainer.api.post(`/vacations/${id}/undo`)).body).toEqual({ id, bloqueadas: 1 });
    expect(await agenda.get(session)).toMatchObject({ status: 'agendada' });
  });

  it('frees its times when it is disconnected, and blocks them again when that is undone', async () => {
    await link();
    await trainer.api.delete('/other-calendar');
    expect(await state()).toBeNull();
    expect(await starts()).toContain(on(3)(10));
    await trainer.api.post('/other-calendar/restore');
    await readNow();
    expect(await starts()).not.toContain(on(3)(10));
  });

  it('has one turn at a time, however often it is connected', async () => {
    await link();
    const held: ServerResponse[] = [];
    answer = (_request, response) => void held.push(response);
    const before = asked.length;
    for (const path of ['/one.ics', '/two.ics', '/three.ics'])
      await trainer.api.put('/other-calendar', { link_ics: `${origin}${path}` });
    const putOff = async () => {
      const { values } = await app.nest.get(Metrics).jobsPutOff.get();
      return values.some(({ labels, value }) => labels.job === readOtherCalendar.name && value > 0);
    };
    await eventually(putOff, true);
    await eventually(() => Promise.resolve(asked.length - before), 1);
    answer = (_request, response) => response.end(meeting);
    for (const response of held) response.end(meeting);
    await eventually(() => Promise.resolve(asked.at(-1)), '/three.ics');
  });

  it('shows since when it cannot be read and why, keeps what was read, and recovers', async () => {
    await link();
    answer = (_request, response) => response.writeHead(500).end();
    clock.at = new Date(on(1)(7));
    await readNow();
    clock.at = new Date(on(1)(8));
    await readNow();
    expect(await state()).toMatchObject({
      ocupados: 1,
      lido_em: on(1)(6),
      falha_desde: on(1)(7),
      falha: 'o servidor respondeu com o erro 500',
    });
    answer = (_request, response) => response.end('<!doctype html><html>Entrar</html>');
    await readNow();
    expect(await state()).toMatchObject({
      falha: 'o endereço não é de um calendário (.ics)',
      falha_desde: on(1)(7),
    });
    answer = (_request, response) => response.end(meeting);
    await readNow();
    expect(await state()).toMatchObject({ falha: null, falha_desde: null, lido_em: on(1)(8) });
    clock.at = new Date(on(1)(6));
  });

  it('is read by one worker at a time, and automatically when it is due', async () => {
    await trainer.api.put('/other-calendar', { link_ics: `${origin}/due.ics` });
    await readOnce();
    const job = app.nest.get(OtherCalendarJob);
    const readings = () => asked.filter((path) => path === '/due.ics').length;
    await job.readDue();
    expect(readings()).toBe(1);
    clock.at = new Date(on(1)(7));
    await Promise.all([job.readDue(), job.readDue(), job.readDue()]);
    expect(readings()).toBe(2);
    await job.readDue();
    expect(readings()).toBe(2);
    clock.at = new Date(on(1)(6));
  });

  it('keeps the result of a later read when an earlier one ends', async () => {
    await link();
    const held: ServerResponse[] = [];
    let isHeld = () => {};
    const bothHeld = new Promise<void>((resolve) => (isHeld = resolve));
    answer = (_request, response) => {
      if (held.push(response) === 2) isHeld();
    };
    const read = () => app.nest.get(OtherCalendarJob).read(trainer.tenantId, true);
    clock.at = new Date(on(1)(7));
    const earlier = Promise.all([read(), read()]);
    await bothHeld;

    answer = (_request, response) => response.end(meeting);
    clock.at = new Date(on(1)(8));
    await read();
    const found = await state();
    expect(found).toMatchObject({ ocupados: 1, lido_em: on(1)(8), falha: null });

    held[0]!.end(calendar());
    held[1]!.writeHead(500).end();
    await earlier;
    expect(await state()).toEqual(found);
    clock.at = new Date(on(1)(6));
  });

  it('is read less often while it fails', async () => {
    await link('/down.ics');
    answer = (_request, response) => response.writeHead(500).end();
    const next = async () => {
      const [read] = await database.query<{ proxima_em: Date }>(
        'select proxima_em from other_calendar_reads where tenant_id = $1',
        [trainer.tenantId],
      );
      return read!.proxima_em.toISOString();
    };
    const times = [
      { at: on(1)(7), then: on(1)(7, 30) },
      { at: on(1)(7, 30), then: on(1)(8) },
      { at: on(1)(8), then: on(1)(9) },
      { at: on(1)(14), then: on(1)(16) },
    ];
    for (const { at, then } of times) {
      clock.at = new Date(at);
      await app.nest.get(OtherCalendarJob).readDue();
      await eventually(next, then);
    }
    clock.at = new Date(on(1)(6));
  });

  it('tells the trainer after six hours that it stopped, and takes that back when it answers', async () => {
    const notices = async () => {
      const { items } = (await trainer.api.get<NotificationPage>('/notifications')).body;
      return items.map(({ titulo, texto, endereco }) => [titulo, texto, endereco]);
    };
    const stopped = [
      'Seu outro calendário parou de responder',
      'Desde dom., 1 de nov., 7:00, o que você marca lá não bloqueia horários aqui.',
      '/ajustes/calendario',
    ];
    await link('/stops.ics');
    answer = (_request, response) => response.writeHead(404).end();
    for (const [hour, told] of [
      [7, []],
      [8, []],
      [9, []],
      [11, []],
      [13, [stopped]],
      [15, [stopped]],
    ] as const) {
      clock.at = new Date(on(1)(hour));
      await app.nest.get(OtherCalendarJob).readDue();
      await caughtUp(database);
      expect((await state())?.parado_desde ?? null).toBe(told.length > 0 ? on(1)(7) : null);
      await eventually(notices, [...told]);
    }
    answer = (_request, response) => response.end(meeting);
    clock.at = new Date(on(1)(18));
    await app.nest.get(OtherCalendarJob).readDue();
    await caughtUp(database);
    await eventually(notices, []);
    expect(await state()).toMatchObject({ parado_desde: null, falha: null });
    clock.at = new Date(on(1)(6));
  });

  it('is read without its events that cannot be read, of which it says the number', async () => {
    const bad = ['BEGIN:VEVENT', 'DTSTART:tomorrow', 'END:VEVENT'].join('\r\n');
    answer = (_request, response) =>
      response.end(
        calendar(bad, event('20261103T130000Z', '20261103T140000Z', 'ATTENDEE;RSVP:mailto:x'), bad),
      );
    await link();
    expect(await state()).toMatchObject({ ocupados: 1, ignorados: 2, falha: null });
  });

  it('shows only the host of its address, which is stored encrypted', async () => {
    await link('/private-4711/basic.ics');
    expect(JSON.stringify(await state())).not.toContain('private-4711');
    const rows = await database.query<{ text: string }>(
      `select to_jsonb(e)::text as text from events e where tenant_id = $1`,
      [trainer.tenantId],
    );
    expect(rows.filter(({ text }) => text.includes('private-4711'))).toEqual([]);
  });

  it.each(['ftp://example.org/a.ics', 'calendario', 'https://a:b@example.org/x.ics', ''])(
    'is not connected by %s',
    async (link_ics) => {
      const { errors } = await agenda.refused(400, 'PUT', '/other-calendar', { link_ics });
      expect(errors).toHaveLength(1);
    },
  );
});
