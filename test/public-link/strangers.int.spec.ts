import { hash, randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import type { CancellationPreview } from '../../backend/modules/agenda/agenda.api.js';
import type {
  PublicLink,
  StrangerList,
  StrangersForgotten,
} from '../../backend/modules/public-link/public-link.api.js';
import { lapseVisits } from '../../backend/modules/public-link/public-link.job.js';
import type { Waitlist } from '../../backend/modules/public-link/waitlist.api.js';
import { BookAsVisitor } from '../../backend/modules/public-link/visits.commands.js';
import type { ReminderList } from '../../backend/modules/reminders/reminders.api.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import { nobodyOf } from '../../backend/platform/event-store/context.js';
import type { Problem } from '../../backend/platform/http/problem.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { sharedApp } from '../support/shared.js';
import { SetClock } from '../support/clock.js';
import type { Answer } from '../support/client.js';
import { connect, testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { type Refusal, somePhone, visitorsOf, openPublicPage, type OpenPage } from './visitor.js';

/** Monday 2 November 2026, 8:00. */
const clock = new SetClock(new Date(on(2)(8)));
let trainer: OpenPage['trainer'];
let agenda: OpenPage['agenda'];
let location_id: string;
let visitors: OpenPage['visitors'];
let set: OpenPage['set'];
let visits: OpenPage['visits'];
let students: OpenPage['students'];
let starts: OpenPage['starts'];

const projected = () => caughtUp(database);

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(2)(8));
  ({ trainer, agenda, location_id, visitors, set, visits, students, starts } = await openPublicPage(
    app,
    database,
  ));
});

describe('a phone', () => {
  it('and a name belong to one student, even if nothing is projected yet', async () => {
    const holder = await connect(database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query('select from projection_checkpoint where tenant_id = $1 for update', [
      trainer.tenantId,
    ]);
    const [added, changed, fresh] = [somePhone(), somePhone(), somePhone()];
    try {
      await trainer.api.post('/students', { nome: 'Acabou de Chegar', whatsapp: added });
      const { id } = (
        await trainer.api.post('/students', { nome: 'Trocou de Número', whatsapp: somePhone() })
      ).body;
      await trainer.api.patch(`/students/${id}`, { whatsapp: changed });
      const typed = [
        { whatsapp: added, nome: 'Acabou de Chegar' },
        { whatsapp: changed, nome: 'Trocou' },
        { whatsapp: fresh },
        { whatsapp: fresh },
      ];
      const answers = await Promise.all(
        typed.map((who, n) => visitors.book({ location_id, inicio: on(3)(9 + 2 * n), ...who })),
      );
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    } finally {
      await holder.query('rollback');
    }
    await projected();
    const found = (await visits()).map(({ aluno, novo }) => [aluno, novo]);
    expect(found.slice(0, 2)).toEqual([
      ['Acabou de Chegar', false],
      ['Trocou de Número', false],
    ]);
    // Either of the two concurrent bookings may have been the first.
    expect(found.slice(2)).toHaveLength(2);
    expect(found.slice(2)).toEqual(
      expect.arrayContaining([true, false].map((novo) => ['Carla Visitante', novo])),
    );
    expect(await students()).toHaveLength(3);
  });
});

describe('a booking from an outdated page', () => {
  const outcome = async (wanted: { inicio: string }) => {
    const booking = {
      location_id,
      nome: 'Carla Visitante',
      whatsapp: '+5521980000000',
      email: null,
      visit_id: randomUUID(),
      token_hash: randomBytes(32).toString('hex'),
      student_ids: [randomUUID()],
      consentimento: 1 as const,
      ...wanted,
    };
    const context = nobodyOf(trainer.tenantId, 'America/Sao_Paulo');
    const made = app.nest.get(CommandBus).execute(new BookAsVisitor(context, booking));
    return made.then(
      () => 'booked',
      ({ code }: Problem) => code,
    );
  };

  it('is decided on the current state', async () => {
    await set({ dias: 2, antecedencia_min: 120 });
    expect((await visitors.book({ location_id, inicio: on(3)(9) })).status).toBe(201);
    const [taken, closed, tooSoon, tooLate] = [on(3)(9), on(3)(3), on(2)(9), on(4)(9)];
    for (const inicio of [taken, closed, tooSoon, tooLate])
      expect([inicio, await outcome({ inicio })]).toEqual([inicio, 'public.taken']);
    await set({ locais: [] });
    expect(await outcome({ inicio: on(3)(11) })).toBe('public.location_gone');
    await set({ ativo: false });
    expect(await outcome({ inicio: on(3)(11) })).toBe('public.paused');
    await set({});
    expect(await outcome({ inicio: on(3)(11) })).toBe('booked');
  });
});

describe('a visitor who books with a student’s phone and name', () => {
  const told = { nome: 'Dona do Número', whatsapp: '11943214321' };
  let known: string;
  let token: string;
  let session_id: string;
  let visit_id: string;

  const read = async (motivo: string) =>
    (
      await trainer.api.get<CancellationPreview>(`/sessions/${session_id}/cancellation`, {
        query: { motivo },
      })
    ).body;

  beforeEach(async () => {
    known = await agenda.student('Dona do Número', await agenda.plan());
    await agenda.renew(known);
    const terms = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
    await trainer.api.put(`/locations/${location_id}/policy`, terms);
    const { body } = await visitors.book({ location_id, inicio: on(2)(11), ...told });
    token = body.token;
    await projected();
    const [visit] = await visits();
    expect(visit).toMatchObject({ student_id: known, confirmado: false });
    [session_id, visit_id] = [visit!.session_id, visit!.id];
  });

  it('causes no reminder to that student before the trainer has confirmed', async () => {
    const reminded = async () => {
      await app.run(prepareReminders.Handler);
      const { items } = (await trainer.api.get<ReminderList>('/reminders')).body;
      return items.map(({ inicio }) => inicio);
    };
    const { body } = await visitors.book({ location_id, inicio: on(3)(9), ...told });
    clock.at = new Date(on(2)(19));
    expect(await reminded()).toEqual([]);
    await trainer.api.post(`/visits/${body.id}/confirm`);
    expect(await reminded()).toEqual([on(3)(9)]);
  });

  it('costs that student nothing for a no-show while unconfirmed', async () => {
    clock.at = new Date(on(2)(12));
    const { texto, tem_custo, previsto } = await read('falta');
    expect([tem_custo, texto]).toEqual([false, 'A reserva ainda não foi confirmada: não cobra nada.']);
    const absent = { motivo: 'falta', aplicar_politica: true, previsto };
    expect(await agenda.cancel(session_id, absent)).toMatchObject({ usou_credito: false, taxa: 0 });
    expect(await agenda.balance(known)).toBe(4);
  });

  it('costs that student nothing if the trainer declines, or marks a late cancellation', async () => {
    expect((await read('aluno_fora_do_prazo')).tem_custo).toBe(false);
    const late = { motivo: 'aluno_fora_do_prazo', aplicar_politica: true };
    expect(await agenda.cancel(session_id, late)).toMatchObject({ usou_credito: false, taxa: 0 });
    await agenda.reopen(session_id);
    await trainer.api.post(`/visits/${visit_id}/decline`, {});
    expect(await agenda.get(session_id)).toMatchObject({ status: 'cancelada', motivo: 'personal', taxa: 0 });
    expect(await agenda.balance(known)).toBe(4);
  });

  it('costs that student nothing when cancelled by the private link, also late and confirmed', async () => {
    await trainer.api.post(`/visits/${visit_id}/confirm`);
    expect((await read('aluno_fora_do_prazo')).tem_custo).toBe(true);
    expect((await visitors.cancel(token)).status).toBe(200);
    await projected();
    expect(await agenda.get(session_id)).toMatchObject({
      status: 'cancelada',
      motivo: 'aluno_fora_do_prazo',
      usou_credito: false,
      taxa: 0,
    });
    expect(await agenda.balance(known)).toBe(4);
  });

  it('loses access once the trainer gives the time to another student', async () => {
    const { body } = await trainer.api.post('/students', { nome: 'Outra Pessoa', whatsapp: somePhone() });
    await agenda.patch(session_id, { student_id: body.id });
    expect((await visitors.move(token, on(3)(9))).body.code).toBe('public.visit_not_found');
    expect((await visitors.cancel(token)).body.code).toBe('public.visit_not_found');
    expect((await fetch(`${app.url}/p/reserva/${token}`)).status).toBe(404);
    expect(await agenda.get(session_id)).toMatchObject({ status: 'agendada', student_id: body.id });
  });
});

describe('bookings that nobody confirms', () => {
  const lapse = async (at: string) => {
    clock.at = new Date(at);
    await app.run(lapseVisits.Handler);
    return (await visits()).map(({ inicio }) => inicio);
  };
  const page = async (token: string) => (await fetch(`${app.url}/p/reserva/${token}`)).text();

  it('lapse after 48 hours, as their page says before: the times are free again', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(6)(9) });
    const answered = await visitors.book({ location_id, inicio: on(6)(11) });
    await trainer.api.post(`/visits/${answered.body.id}/confirm`);
    await projected();
    expect((await visits()).map(({ vence_em }) => vence_em)).toEqual([on(4)(8), null]);
    expect(await page(body.token)).toMatch(
      /Sem confirmação até .*4 de novembro.*8:00, a reserva é cancelada/,
    );
    expect(await lapse(on(4)(7, 59))).toEqual([on(6)(9), on(6)(11)]);
    expect(await lapse(on(4)(8))).toEqual([on(6)(11)]);
    expect(await page(body.token)).toContain('Reserva não confirmada');
    expect(await starts()).toContain(on(6)(9));
  });

  it('have 48 hours again once the visitor has moved them', async () => {
    const { body } = await visitors.book({ location_id, inicio: on(6)(9) });
    clock.at = new Date(on(3)(8));
    expect((await visitors.move(body.token, on(7)(9))).status).toBe(200);
    expect(await lapse(on(4)(9))).toEqual([on(7)(9)]);
    expect(await lapse(on(5)(8))).toEqual([]);
  });

  it('of people whom the trainer never dealt with are declined in one command, which forgets these people', async () => {
    const known = somePhone();
    await trainer.api.post('/students', { nome: 'Rui Conhecido', whatsapp: known });
    for (const day of [3, 4, 5, 6, 7]) await visitors.book({ location_id, inicio: on(day)(9) });
    await visitors.book({ location_id, inicio: on(7)(11), nome: 'Rui', whatsapp: known });
    await projected();
    const [confirmed, edited] = await visits();
    await trainer.api.post(`/visits/${confirmed!.id}/confirm`);
    await trainer.api.patch(`/students/${edited!.student_id}`, { nome: 'Uma Que Ligou' });
    await projected();
    const strangers = async () => (await trainer.api.get<StrangerList>('/visits/strangers')).body.items;
    const preview = await strangers();
    expect(preview).toHaveLength(3);
    const student_ids = [...preview.map(({ student_id }) => student_id), edited!.student_id];
    const forget = () => trainer.api.post<StrangersForgotten>('/visits/strangers/forget', { student_ids });
    expect((await forget()).body).toMatchObject({ pessoas: 3, reservas: 3 });
    await projected();
    expect(await strangers()).toEqual([]);
    expect(await visits()).toHaveLength(3);
    expect((await students()).map(({ nome }) => nome).sort()).toEqual([
      'Carla Visitante',
      'Rui Conhecido',
      'Uma Que Ligou',
    ]);
    expect((await forget()).body).toMatchObject({ pessoas: 0, reservas: 0 });
  });
});

/** As if so many requests had been made within this minute. */
const alreadyAsked = (limit: string, points: number) =>
  database.query(
    'insert into rate_limits (key, points, expire) values ($1, $2, (extract(epoch from now()) * 1000)::bigint + 60000)',
    [`rate:${limit}:${trainer.tenantId}`, points],
  );

/** Solves the challenge as browsers do, but with the hash that is fastest here; or claims a solution. */
function proofFor({ body }: Answer<Refusal>, said?: number): string {
  const { challenge, salt, algorithm, maxnumber, signature } = body.desafio!;
  let number = said ?? 0;
  if (said === undefined)
    while (number < maxnumber && hash('sha256', `${salt}${number}`) !== challenge) number += 1;
  return Buffer.from(JSON.stringify({ algorithm, challenge, number, salt, signature })).toString('base64');
}

describe('limits', () => {
  it('apply to a phone whoever types it, with the same answer as for an address', async () => {
    await set({ por_dia: 24, intervalo_min: 0 });
    const whatsapp = somePhone();
    const free = await starts();
    const answers = [];
    for (const inicio of free.slice(0, 11))
      answers.push(await visitors.book({ location_id, inicio, whatsapp }));
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(201), 429]);
    const refused = answers.at(-1)!;
    expect(refused.body).toMatchObject({ 'violated-policies': ['visitor-bookings'] });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await visitors.book({ location_id, inicio: free[10]! })).status).toBe(201);
  });

  it('apply to an address at one page, and at another one on their own', async () => {
    const address = '203.0.113.9';
    const tries = [];
    for (let n = 0; n < 21; n += 1)
      tries.push(await visitors.book({ location_id, inicio: on(3)(3) }, address));
    const refused = tries.at(-1)!;
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused.headers.get('RateLimit')).toContain('"visitor-bookings"');
    expect(tries.at(-2)!.status).toBe(409);
    const other = await openPublicPage(app, database);
    const elsewhere = { location_id: other.location_id, inicio: on(3)(9) };
    expect((await other.visitors.book(elsewhere, address)).status).toBe(201);
  });

  it('require a challenge to be solved when too many times are taken in a minute, and accept each solution once', async () => {
    await set({ intervalo_min: 0 });
    const free = await starts();
    await alreadyAsked('calm-bookings', 27);
    const taken = await Promise.all(free.slice(0, 3).map((inicio) => visitors.book({ location_id, inicio })));
    expect(taken.map(({ status }) => status)).toEqual([201, 201, 201]);
    const asked = await visitors.book({ location_id, inicio: free[3]! });
    expect([asked.status, asked.body.code]).toEqual([428, 'public.proof_needed']);
    const prova = proofFor(asked);
    const wrong = proofFor(asked, -1);
    const ask = async (inicio: string, proof: string) =>
      (await visitors.book({ location_id, inicio, prova: proof })).status;
    expect(await ask(free[3]!, wrong)).toBe(428);
    expect(await ask(free[3]!, prova)).toBe(201);
    expect(await ask(free[4]!, prova)).toBe(428);
  });

  it('leave the trainer time to answer, let the customers of a carrier book, and make room once they are confirmed', async () => {
    await set({ intervalo_min: 0 });
    const free = (await visitors.page()).body.horarios.map(({ inicio }) => inicio);
    const days = [...new Set(free.map((inicio) => inicio.slice(0, 10)))];
    const times = days.flatMap((_, day) => [9, 10, 11, 12, 13].map((hour) => on(3 + day)(hour)));
    const carrier = '198.51.100.77';
    async function book(inicio: string, address: string) {
      const asked = await visitors.book({ location_id, inicio }, address);
      if (asked.status !== 428) return asked;
      return visitors.book({ location_id, inicio, prova: proofFor(asked) }, address);
    }
    const made = [];
    for (const inicio of times.slice(0, 20)) made.push(await book(inicio, carrier));
    expect(made.map(({ status, body }) => [status, body.code])).toEqual(Array(20).fill([201, undefined]));
    const refused = await book(times[20]!, '198.51.100.78');
    expect([refused.status, refused.body.code]).toEqual([429, 'public.crowded']);
    expect(refused.headers.get('Retry-After')).toBe('600');
    await projected();
    for (const { id } of (await visits()).slice(0, 2)) await trainer.api.post(`/visits/${id}/confirm`);
    await projected();
    expect((await book(times[20]!, '198.51.100.78')).status).toBe(201);
  });

  it('are not used up by requests without a solution', async () => {
    await alreadyAsked('calm-bookings', 30);
    const whatsapp = somePhone();
    const refused = await Promise.all(
      Array.from({ length: 12 }, () =>
        visitors.book({ location_id, inicio: on(3)(9), whatsapp, prova: 'bm90aGluZw==' }),
      ),
    );
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([428]));
    const counted = await database.query(
      "select from rate_limits where key like 'rate:trainer-bookings:' || $1",
      [trainer.tenantId],
    );
    expect(counted).toEqual([]);
    const prova = proofFor(refused[0]!);
    clock.at = new Date(on(2)(8, 11));
    expect((await visitors.book({ location_id, inicio: on(3)(9), whatsapp, prova })).status).toBe(428);
    clock.at = new Date(on(2)(8, 9));
    expect((await visitors.book({ location_id, inicio: on(3)(9), whatsapp, prova })).status).toBe(201);
  });

  it('apply to the waitlist, which has two hundred entries at most', async () => {
    await database.query(
      'insert into waitlist_entries select $1, gen_random_uuid(), now() from generate_series(1, 200)',
      [trainer.tenantId],
    );
    const wish = { location_id, de: '2026-11-03', ate: '2026-11-06', periodos: ['noite'] };
    expect((await visitors.wait(wish)).body.code).toBe('public.waitlist_full');
  });

  it('apply to the wishes of an address in a day', async () => {
    const wish = { location_id, de: '2026-11-03', ate: '2026-11-06', periodos: ['noite'] };
    const wait = () => visitors.wait(wish, randomUUID(), '203.0.113.77');
    expect((await wait()).status).toBe(201);
    await database.query("update rate_limits set points = 40 where key like 'rate:waitlist-wishes:%' || $1", [
      trainer.tenantId,
    ]);
    const refused = await wait();
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ 'violated-policies': ['waitlist-wishes'] });
    expect((await visitors.wait(wish)).status).toBe(201);
  });

  it('let somebody into the waitlist once who sends the request with its solution again', async () => {
    await alreadyAsked('calm-bookings', 30);
    const evenings = { location_id, de: '2026-11-03', ate: '2026-11-06', periodos: ['noite'] };
    const wish = { ...evenings, whatsapp: somePhone() };
    const prova = proofFor(await visitors.wait(wish));
    const key = randomUUID();
    const first = await visitors.wait({ ...wish, prova }, key);
    const again = await visitors.wait({ ...wish, prova }, key);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect((await visitors.wait({ ...wish, prova })).status).toBe(428);
    await projected();
    expect((await trainer.api.get<Waitlist>('/waitlist')).body.items).toHaveLength(1);
  });

  it('apply to one trainer over all visitors, and not to other trainers', async () => {
    await alreadyAsked('trainer-bookings', 599);
    expect((await visitors.book({ location_id, inicio: on(3)(9) })).status).toBe(201);
    const refused = await visitors.book({ location_id, inicio: on(3)(11) });
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ 'violated-policies': ['trainer-bookings'] });
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(refused.headers.get('RateLimit')).toContain('"trainer-bookings";r=0');
    const other = await signUp(app);
    const elsewhere = await agendaOf(other.api).location();
    await projected();
    const { slug: theirs } = (await other.api.get<PublicLink>('/public-link')).body;
    const wanted = { location_id: elsewhere, inicio: on(3)(9) };
    expect((await visitorsOf(app.url, theirs).book(wanted)).status).toBe(201);
  });
});
