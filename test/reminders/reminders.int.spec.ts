import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import { contractReminders } from '../../backend/modules/contracts/contracts.module.js';
import {
  consents,
  type ContractReminders,
  type RequestPage,
} from '../../backend/modules/contracts/contracts.api.js';
import { defaultSettings } from '../../backend/modules/public-link/public-link.api.js';
import type {
  Confirmed,
  ReminderList,
  RemindersWaiting,
} from '../../backend/modules/reminders/reminders.api.js';
import type { ExpiryWarningList } from '../../backend/modules/expiry-warnings/expiry-warnings.api.js';
import { expiryWarningsDue } from '../../backend/modules/expiry-warnings/expiry-warnings.module.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { nextMail, unreadMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { expectDeadLinks, expectPreview, writtenPage } from '../support/written-page.js';

const clock = new SetClock(new Date());
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;

const database = await testDatabase();
const app = await startApp({ clock, byHand: [prepareReminders] });

beforeEach(async () => {
  clock.at = new Date(on(9)(18));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza');
});

const book = (day: number, hour = 7, student_id = ana) =>
  agenda.book({ student_id, inicio: on(day)(hour), fim: on(day)(hour + 1) });
/** Waits for the projections, so that the job finds the written data. */
const list = async (query: Record<string, string> = {}) =>
  (await trainer.api.get<ReminderList>('/reminders', { query })).body.items;
async function prepare() {
  await list();
  await app.run(prepareReminders.Handler);
}
const waiting = async () => (await trainer.api.get<RemindersWaiting>('/reminders/waiting')).body.total;
const prepared = () =>
  database.query<{ session_id: string; inicio: string }>(
    `select data->>'session_id' as session_id, data->>'inicio' as inicio from events
     where tenant_id = $1 and type = 'ReminderPrepared' order by position`,
    [trainer.tenantId],
  );

describe('a reminder', () => {
  it("is prepared at 18:00 of the day before in the tenant's zone, only for tomorrow", async () => {
    const tomorrow = await book(10);
    await book(9, 20);
    await book(11);
    await agenda.cancel(await book(10, 9));
    clock.at = new Date(on(9)(17, 59));
    await prepare();
    expect(await prepared()).toEqual([]);
    clock.at = new Date(on(9)(18));
    await prepare();
    expect(await prepared()).toEqual([{ session_id: tomorrow, inicio: on(10)(7) }]);
    expect(await list()).toMatchObject([
      {
        session_id: tomorrow,
        student_nome: 'Ana Souza',
        texto: expect.stringMatching(
          /^Oi, Ana! Lembrete da nossa aula de amanhã, 7:00\. Confirma pra mim\? http/,
        ),
        link: expect.stringContaining('https://wa.me/5511943214321?text=Oi%2C%20Ana'),
        enviado_em: null,
        confirmado_em: null,
      },
    ]);
    await expectRebuildToEqualLive(app, 'reminders');
  });

  it('of a session that is held online has its link in the message and on its page, where the mail leads', async () => {
    const endereco = 'https://meet.example.com/abc';
    const email = `${crypto.randomUUID()}@exemplo.com.br`;
    const online = { nome: 'Consultoria', duracao_min: 60, endereco };
    const service_id = (await trainer.api.post('/services', online)).body.id;
    await trainer.api.patch(`/students/${ana}`, { email });
    await agenda.book({ student_id: ana, service_id, inicio: on(10)(7), fim: on(10)(8) });
    await prepare();
    const { texto } = (await list())[0]!;
    expect(texto).toContain(`de amanhã, 7:00 (online: ${endereco})`);
    const page = await writtenPage(app, `/confirmar/${/confirmar\/([\w-]{32})/.exec(texto)![1]!}`);
    expect(page.text).toContain(`href="${endereco}"`);
    expect((await nextMail(email)).text).toContain('7:00, online.');
  });

  it('is prepared once, however many workers run the job concurrently', async () => {
    await book(10);
    await book(10, 9);
    await list();
    const job = app.nest.get(prepareReminders.Handler);
    await Promise.all([job.run(), job.run(), job.run(), job.run()]);
    await prepare();
    expect(await prepared()).toHaveLength(2);
  });

  it('is prepared again for a session that was moved, and the old one is gone', async () => {
    const id = await book(10);
    await prepare();
    const [before] = await list();
    await agenda.patch(id, { inicio: on(10)(9), fim: on(10)(10) });
    expect(await list()).toEqual([]);
    await prepare();
    const [after] = await list();
    expect(after!.id).not.toBe(before!.id);
    expect(after!.texto).toContain('amanhã, 9:00');
    await agenda.patch(id, { inicio: on(10)(7), fim: on(10)(8) });
    await prepare();
    expect(await list()).toMatchObject([{ id: before!.id }]);
    expect(await prepared()).toHaveLength(2);
  });

  it('is mailed once if the student has an address, and then is not left to the trainer', async () => {
    const email = `${crypto.randomUUID()}@exemplo.com.br`;
    const { body } = await trainer.api.post('/students', {
      nome: 'Bia Lima',
      telefone: '11912345678',
      email,
    });
    await book(10, 9, body.id);
    await book(10);
    await prepare();
    await prepare();
    const mail = await nextMail(email);
    expect(mail.subject).toBe('Lembrete: sua aula com Ana Personal');
    expect(mail.text).toContain('Sua aula com Ana Personal é ter., 10 de nov. de 2026, 9:00.');
    expect(mail.text).toMatch(/\/confirmar\/[\w-]{32}/);
    await list();
    expect(await unreadMail(email)).toEqual([]);
    expect(await waiting()).toBe(1);
  });

  it('is marked as sent, and unmarked', async () => {
    const session = await book(10);
    await prepare();
    const { id } = (await list())[0]!;
    expect(await waiting()).toBe(1);
    await trainer.api.post(`/reminders/${id}/sent`);
    expect(await list()).toMatchObject([{ enviado_em: expect.any(String) }]);
    expect(await waiting()).toBe(0);
    await trainer.api.post(`/reminders/${id}/unsent`);
    expect(await list({ session_id: session })).toMatchObject([{ id, enviado_em: null }]);
    expect(await waiting()).toBe(1);
  });
});

describe('the link', () => {
  const stranger = () => new Client(app.url);
  const tokenOf = async () => /confirmar\/([\w-]{32})/.exec((await list())[0]!.texto)![1]!;
  const show = async (token: string) => {
    // Strangers have no position to wait for.
    await list();
    return writtenPage(app, `/confirmar/${token}`);
  };
  const confirm = (token: string, status = 200) =>
    stranger().post<Confirmed & { code?: string }>('/confirmations', { token }, { status });

  it('confirms with one tap, once, and shows that; opening it changes nothing', async () => {
    const id = await book(10);
    await agenda.patch(id, { confirmado: false });
    await prepare();
    const token = await tokenOf();
    for (const time of ['once', 'again'])
      expect([time, (await show(token)).words]).toEqual([
        time,
        expect.stringContaining('Confirmar presença'),
      ]);
    expect((await agenda.get(id)).confirmado).toBe(false);

    expect((await confirm(token)).body.nova).toBe(true);
    expect((await confirm(token)).body.nova).toBe(false);
    await caughtUp(database);
    expect((await agenda.get(id)).confirmado).toBe(true);
    expect(await list()).toMatchObject([{ confirmado_em: expect.any(String) }]);
    const shown = await show(token);
    expect(shown.text).not.toMatch(/id="confirm"|id="done"[^>]*hidden/);
    expectPreview(shown, token, 'Presença confirmada · Ana Personal', 'ter., 10 de nov., 7:00');
    const { items } = (
      await trainer.api.get<HistoryPage>('/history', { query: { subject: `session:${id}` } })
    ).body;
    const said = items.find(({ evento }) => evento === 'ReminderConfirmed')!;
    expect(said).toMatchObject({
      quem: { id: ana, nome: 'Ana Souza' },
      texto: 'O aluno confirmou a presença na sessão',
    });
  });

  it('opens a page that names time and place, and gives who cannot come the words for it', async () => {
    const { id: location_id } = (
      await trainer.api.post('/locations', { nome: 'Parque <do> Povo', endereco: 'Av. Henrique, 420' })
    ).body;
    const [inicio, fim] = [on(10)(7), on(10)(8)];
    await agenda.book({ student_id: ana, location_id, inicio, fim });
    await prepare();
    const token = await tokenOf();
    const page = await show(token);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self';"),
    });
    const preview = {
      title: 'Ana Personal · Aula de ter., 10 de nov., 7:00',
      description: 'Confirmar presença · Parque &lt;do&gt; Povo',
    };
    expectPreview(page, token, preview.title, preview.description);
    for (const said of ['Sua aula com Ana Personal', 'horário de Brasília', 'Av. Henrique, 420'])
      expect(page.words).toContain(said);
    expect(page.words).toContain('ative o JavaScript deste navegador');
    expect(page.text).toContain('query=Parque%20%3Cdo%3E%20Povo%2C%20Av.%20Henrique%2C%20420"');
    expect(page.text).not.toMatch(/Souza|<do>|94321/);
    const words = 'Oi, Ana! Não vou conseguir ir à aula de ter., 10 de nov., 7:00. Podemos remarcar?';
    const expectNumber = async (number: RegExp) => {
      const { text } = await show(token);
      const [, written] = /https:\/\/wa\.me\/(\d*)\?text=([^"]*)"/.exec(text)!.map(decodeURIComponent);
      expect(written).toMatch(number);
      expect(text).toContain(encodeURIComponent(words));
    };
    // That of the account, until the page for visitors has one, or none.
    await expectNumber(/^55119\d{8}$/);
    await trainer.api.put('/public-link', { ...defaultSettings, whatsapp: '(11) 91234-0000' });
    await expectNumber(/^5511912340000$/);
    await trainer.api.put('/public-link', { ...defaultSettings, whatsapp: null });
    await expectNumber(/^$/);
  });

  it('does not ask who has asked to cancel to confirm; who comes after all takes the request back', async () => {
    const id = await book(10);
    await prepare();
    const token = await tokenOf();
    const account = await studentAccount(app, trainer, ana);
    await account.api.post(`/student/sessions/${id}/request`, { motivo: 'Dentista' });
    await caughtUp(database);
    const { words, text } = await show(token);
    expect(text).toMatch(/class="button full quiet" disabled>\s*Vou, sim/);
    expect(words).toContain(
      'Você pediu para desmarcar. A aula continua agendada até seu personal responder.',
    );
    expect(words).toContain('Vou, sim');
    expect(words).not.toContain('Confirmar presença');
    await confirm(token);
    await caughtUp(database);
    expect((await trainer.api.get<{ items: unknown[] }>('/session-requests')).body.items).toEqual([]);
    expect((await show(token)).words).not.toContain('Você pediu');
  });

  it('ends with the session, and when it is changed', async () => {
    const id = await book(10);
    await prepare();
    const token = await tokenOf();
    await agenda.patch(id, { inicio: on(10)(9), fim: on(10)(10) });
    const expectMoved = async () => {
      const page = await show(token);
      expectPreview(page, token, 'Esta aula mudou de horário', 'Era ter., 10 de nov., 7:00.');
      expect(page.words).toContain('Quando ter., 10 de nov., 9:00');
      expect(page.words).not.toContain('Confirmar presença');
    };
    await expectMoved();
    expect((await confirm(token, 409)).body.code).toBe('reminders.session_changed');
    // Also when it would have begun.
    clock.at = new Date(on(10)(8));
    await expectMoved();
    clock.at = new Date(on(9)(19));
    await agenda.patch(id, { inicio: on(10)(7), fim: on(10)(8) });
    clock.at = new Date(on(10)(7));
    expect((await show(token)).words).toContain('Esta aula já começou');
    expect((await confirm(token, 409)).body.code).toBe('reminders.over');
    clock.at = new Date(on(9)(19));
    await agenda.cancel(id);
    expect((await show(token)).words).toContain('Esta aula foi desmarcada');
    expect((await confirm(token, 409)).body.code).toBe('reminders.session_changed');
  });

  it('that is invented is not found, and reveals nothing', async () => {
    await expectDeadLinks(app, '/confirmar', 'x'.repeat(32));
    expect((await confirm('x'.repeat(32), 404)).body.code).toBe('reminders.link_not_valid');
  });

  it('is stored only as a hash', async () => {
    await book(10);
    await prepare();
    const token = await tokenOf();
    const rows = await database.query<{ text: string }>(
      `select to_jsonb(e)::text as text from events e where tenant_id = $1
       union all select to_jsonb(t)::text from reminder_tokens t where tenant_id = $1
       union all select to_jsonb(t)::text from read.reminders t where tenant_id = $1
       union all select to_jsonb(t)::text from idempotency_keys t where tenant_id = $1`,
      [trainer.tenantId],
    );
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.filter(({ text }) => text.includes(token))).toEqual([]);
  });
});

describe('an unsigned contract', () => {
  const run = async () => {
    // As with two workers.
    await Promise.all([app.run(contractReminders.Handler), app.run(contractReminders.Handler)]);
  };
  const reminded = async () =>
    (
      await database.query<{ student_id: string }>(
        `select data->>'student_id' as student_id from events
         where tenant_id = $1 and type = 'ContractReminded' order by position`,
        [trainer.tenantId],
      )
    ).map(({ student_id }) => student_id);
  const toSend = async () =>
    (await trainer.api.get<ContractReminders>('/signature-requests/reminders')).body.items;

  it('is followed by reminders, each once, by mail or by a message that the trainer sends', async () => {
    const bia = await agenda.student('Bia Lima');
    const address = `bia-${bia}@exemplo.com.br`;
    await trainer.api.patch(`/students/${bia}`, { email: address });
    const wanted = { titulo: 'Termo', conteudo: '<p>{{aluno}}</p>' };
    const { id } = (await trainer.api.post('/contracts', wanted)).body;
    await trainer.api.post(`/contracts/${id}/send`, { alunos: [ana, bia], canal: 'link' });
    clock.at = new Date(on(12)(17, 59));
    await run();
    expect([await reminded(), await toSend(), await waiting()]).toEqual([[], [], 0]);
    clock.at = new Date(on(12)(20));
    await run();
    expect(await reminded()).toEqual([]);
    clock.at = new Date(on(13)(9));
    await run();
    await run();
    expect(await reminded()).toEqual([bia]);
    const mail = await nextMail(address);
    expect(mail.subject).toBe('Lembrete: contrato para assinar até 09/12/2026');

    const [message, ...others] = await toSend();
    expect([message!.student_nome, others, await waiting()]).toEqual(['Ana Souza', [], 1]);
    expect(message!.texto).toMatch(
      /^Oi, Ana! Lembrete: “Termo” ainda espera a sua assinatura\. Para ler e assinar até 09\/12\/2026: http\S+$/,
    );
    await trainer.api.post(`/signature-requests/${message!.id}/remind`, { canal: 'link' });
    expect([await toSend(), await waiting()]).toEqual([[], 0]);

    const token = /\/assinar\/(\S+)/.exec(mail.text)![1]!;
    const agreed = { consent_data_processing: true, consent_terms: true, consentimento: consents.versao };
    const signature = { nome: 'Bia Lima', cpf: '529.982.247-25', telefone: '(11) 94321-4321', ...agreed };
    await new Client(app.url).post('/signature-links/sign', { token, ...signature });
    await trainer.api.patch(`/students/${ana}`, { email: `ana-${ana}@exemplo.com.br` });
    await trainer.api.patch(`/contracts/${id}`, { lembretes: false });
    clock.at = new Date(on(37)(18));
    await run();
    expect(await reminded()).toEqual([bia, ana]);
    await trainer.api.patch(`/contracts/${id}`, { lembretes: true });
    await run();
    expect(await reminded()).toEqual([bia, ana, ana]);
    await nextMail(`ana-${ana}@exemplo.com.br`);
    const { items } = (
      await trainer.api.get<RequestPage>(`/contracts/${id}/requests`, { query: { limit: '5' } })
    ).body;
    expect(items.map(({ estado }) => estado).sort()).toEqual(['assinado', 'enviado']);
    await expectRebuildToEqualLive(app, 'signature-requests');
    await expectRebuildToEqualLive(app, 'contracts');
  });
});

describe('a warning of credits that expire', () => {
  const warnings = async () => (await trainer.api.get<ExpiryWarningList>('/expiry-warnings')).body.items;
  const run = () => app.run(expiryWarningsDue.Handler);
  async function warn() {
    await warnings();
    await run();
    await caughtUp(database);
  }
  const warned = async () =>
    (
      await database.query<{ day: string }>(
        `select data->>'expira_em' as day from events
         where tenant_id = $1 and type = 'ExpiryWarningPrepared' order by position`,
        [trainer.tenantId],
      )
    ).map(({ day }) => day);
  /** On the 9th; the last day is `validade_dias` later. */
  async function renewed(validade_dias: number, email: string | null = null) {
    const plano_id = await agenda.plan({ validade_dias });
    const fields = { nome: 'Bia Lima', telefone: '11912345678', email, plano_id };
    const { id } = (await trainer.api.post('/students', fields)).body;
    await agenda.renew(id);
    return id;
  }

  it('is prepared once, from 9:00 on the seventh day before, and waits to be sent', async () => {
    await renewed(9);
    for (const early of [on(10)(12), on(11)(8, 59)]) {
      clock.at = new Date(early);
      await warn();
    }
    expect(await warned()).toEqual([]);
    clock.at = new Date(on(11)(9));
    await Promise.all([run(), run(), run()]);
    await warn();
    expect(await warned()).toEqual(['2026-11-18']);
    expect(await warnings()).toMatchObject([
      {
        student_nome: 'Bia Lima',
        expira_em: '2026-11-18',
        creditos: 4,
        por_email: false,
        enviado_em: null,
        texto: 'Oi, Bia! Você tem 4 créditos que vencem em 18/11/2026. Vamos agendar suas aulas?',
        link: expect.stringContaining('https://wa.me/5511912345678?text=Oi%2C%20Bia'),
      },
    ]);
    const { id } = (await warnings())[0]!;
    expect(await waiting()).toBe(1);
    await trainer.api.post(`/expiry-warnings/${id}/sent`);
    expect(await warnings()).toMatchObject([{ enviado_em: expect.any(String) }]);
    expect(await waiting()).toBe(0);
    await trainer.api.post(`/expiry-warnings/${id}/unsent`);
    expect(await waiting()).toBe(1);
    await expectRebuildToEqualLive(app, 'expiry-warnings');
  });

  it('is mailed once if the student has an address, and ends with the credits', async () => {
    const email = `${crypto.randomUUID()}@exemplo.com.br`;
    const student = await renewed(9, email);
    clock.at = new Date(on(13)(15));
    await warn();
    await warn();
    const mail = await nextMail(email);
    expect(mail.subject).toBe('Créditos perto do vencimento: aulas com Ana Personal');
    expect(mail.text).toContain('Você tem 4 créditos que vencem em 18/11/2026.');
    expect(await unreadMail(email)).toEqual([]);
    expect(await waiting()).toBe(0);
    await trainer.api.post(`/students/${student}/credits/adjust`, { quantidade: -3, motivo: 'Acerto' });
    expect(await warnings()).toMatchObject([{ creditos: 1, por_email: true }]);
    await trainer.api.post(`/students/${student}/credits/consume`, { motivo: 'Aula' });
    expect(await warnings()).toEqual([]);
  });

  it('is not mailed again where its student is merged into another, who is warned of one that nobody sent', async () => {
    const email = `${crypto.randomUUID()}@exemplo.com.br`;
    const students = [await renewed(9, email), await renewed(8)];
    clock.at = new Date(on(13)(15));
    await warn();
    expect(await warned()).toEqual(['2026-11-17', '2026-11-18']);
    for (const com of students) await trainer.api.post(`/students/${ana}/merge`, { com });
    await caughtUp(database);
    await warn();
    expect(await warnings()).toMatchObject([{ student_id: ana, expira_em: '2026-11-17', enviado_em: null }]);
    expect(await warned()).toHaveLength(3);
  });

  it('is not prepared if the credits are used or were granted shortly before, or the student is inactive', async () => {
    const used = await renewed(9);
    await trainer.api.post(`/students/${used}/credits/adjust`, { quantidade: -4, motivo: 'Acerto' });
    await renewed(7);
    await trainer.api.post(`/students/${await renewed(9)}/archive`);
    for (const day of [10, 12, 14]) {
      clock.at = new Date(on(day)(12));
      await warn();
    }
    expect(await warned()).toEqual([]);
  });
});
