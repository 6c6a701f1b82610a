import { beforeEach, describe, expect, it } from '@jest/globals';
import { contractReminders } from '../../backend/modules/contracts/contracts.module.js';
import type { ContractReminders } from '../../backend/modules/contracts/contracts.api.js';
import type { ExpiryWarningList } from '../../backend/modules/expiry-warnings/expiry-warnings.api.js';
import { expiryWarningsDue } from '../../backend/modules/expiry-warnings/expiry-warnings.module.js';
import type { CancellationPreview } from '../../backend/modules/agenda/agenda.api.js';
import type { OwnCancellation } from '../../backend/modules/agenda/own-cancellation.api.js';
import type { OwnSessions } from '../../backend/modules/student-area/own-sessions.api.js';
import type { OwnCharges } from '../../backend/modules/charges/charges.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { ReminderList } from '../../backend/modules/reminders/reminders.api.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import type { SessionRequests } from '../../backend/modules/student-area/student-area.api.js';
import { Outbox } from '../../backend/platform/mail/outbox.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date(on(9)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let bia: string;
let location: string;
let student: Awaited<ReturnType<typeof studentAccount>>;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(9)(12));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ valor: 10_000, creditos: 4 }));
  bia = await agenda.student('Bia Lima');
  await agenda.renew(ana);
  location = await agenda.location();
  await trainer.api.put(`/locations/${location}/policy`, {
    cancel_limite_horas: 24,
    taxa_percent: 0,
    queima_credito: true,
  });
  student = await studentAccount(app, trainer, ana, 'Ana');
});

const book = (day: number, student_id = ana) =>
  agenda.book({ student_id, inicio: on(day)(7), fim: on(day)(8), location_id: location });
const post = (path: string, status = 200, body?: object) =>
  student.api.post<{ code?: string }>(`/student/sessions/${path}`, body, { status });
const asked = { motivo: 'Consulta no dentista' };
async function read<Body>(path: string): Promise<Body> {
  await caughtUp(database);
  return (await student.api.get<Body>(path)).body;
}
const preview = (id: string) => read<OwnCancellation>(`/student/sessions/${id}/cancellation`);
const next = async () => (await read<OwnSessions>('/student/sessions')).items;
const requests = async () => {
  await caughtUp(database);
  return (await trainer.api.get<SessionRequests>('/session-requests')).body.items;
};

/** Reads as the trainer once everything is projected, because the trainer has no position for the student's writes. */
const seen = async (id: string) => {
  await caughtUp(database);
  return agenda.get(id);
};
const balance = async () => {
  await caughtUp(database);
  return agenda.balance(ana);
};

describe('within the notice', () => {
  it('a student cancels alone, at no cost, and undoes that while the toast is shown', async () => {
    const id = await book(11);
    expect(await preview(id)).toEqual({
      sozinho: true,
      limite_horas: 24,
      texto: 'Falta 1 dia e 19 h, a política é de 24 h: não cobra nada.',
    });
    await post(`${id}/cancel`);
    await post(`${id}/cancel`);
    expect(await seen(id)).toMatchObject({
      status: 'cancelada',
      motivo: 'aluno_no_prazo',
      usou_credito: false,
      taxa: 0,
    });
    await post(`${id}/undo`);
    await caughtUp(database);
    expect((await seen(id)).status).toBe('agendada');
    expect((await post(`${id}/undo`, 409)).body.code).toBe('student_area.cannot_undo');
    expect(await balance()).toBe(4);
  });

  it('a session can be changed any number of times, also one that the student booked', async () => {
    const booking = { inicio: on(12)(9), location_id: null };
    const { id } = (await student.api.post<{ id: string }>('/student/sessions', booking)).body;
    await post(`${id}/move`, 200, { inicio: on(12)(11) });
    await post(`${id}/move`, 200, { inicio: on(12)(10) });
    await post(`${id}/undo`);
    await post(`${id}/cancel`);
    await post(`${id}/undo`);
    await post(`${id}/cancel`);
    expect(await seen(id)).toMatchObject({ status: 'cancelada', inicio: on(12)(11) });
  });

  it('the limit is exact', async () => {
    const id = await book(10);
    clock.at = new Date(Date.parse(on(9)(7)) + 1);
    expect((await post(`${id}/cancel`, 422)).body.code).toBe('student_area.late');
    clock.at = new Date(on(9)(7));
    await post(`${id}/cancel`);
  });

  it('a change cannot be undone later, nor once somebody else has the time, whose name is not revealed', async () => {
    const id = await book(11);
    await post(`${id}/cancel`);
    clock.at = new Date(on(9)(12, 3));
    await post(`${id}/undo`, 409);
    clock.at = new Date(on(9)(12, 1));
    await book(11, bia);
    const { body } = await post(`${id}/undo`, 409);
    expect(body.code).toBe('agenda.overlap');
    expect(JSON.stringify(body)).not.toMatch(/Bia|session_ids/);
  });

  it('a change cannot be undone if the others of the hour have moved to a part of it', async () => {
    const hour = { inicio: on(11)(7), fim: on(11)(8) };
    const { body } = await trainer.api.post<{ session_ids: [string, string] }>('/sessions/groups', {
      student_ids: [ana, bia],
      location_id: location,
      ...hour,
    });
    const [own, other] = body.session_ids;
    await post(`${own}/cancel`);
    await agenda.patch(other, { inicio: on(11)(7, 30), fim: on(11)(8, 30) });
    const refusal = (await post(`${own}/undo`, 409)).body;
    expect(refusal.code).toBe('agenda.overlap');
    expect(JSON.stringify(refusal)).not.toMatch(/Bia|session_ids/);
    await agenda.patch(other, hour);
    await post(`${own}/undo`);
    expect((await seen(own)).status).toBe('agendada');
  });

  it('a cancellation by the trainer is not undone', async () => {
    const id = await book(11);
    await post(`${id}/cancel`);
    await agenda.reopen(id);
    await agenda.cancel(id);
    expect((await post(`${id}/undo`, 409)).body.code).toBe('student_area.cannot_undo');
  });
});

it('the policy at the time of the booking applies, for the student and for the trainer', async () => {
  const [before, id] = [await book(10), await book(12)];
  await trainer.api.put(`/locations/${location}/policy`, {
    cancel_limite_horas: 720,
    taxa_percent: 100,
    queima_credito: false,
  });
  expect(await preview(id)).toMatchObject({ sozinho: true, limite_horas: 24 });
  expect((await next())[1]).toMatchObject({ id, sozinho_ate: on(11)(7) });
  await post(`${id}/cancel`);
  clock.at = new Date(on(9)(22));
  expect((await preview(before)).texto).toBe(
    'Faltam menos de 24 h: este cancelamento desconta 1 crédito. Vale a política de quando a aula foi agendada.',
  );
  await post(`${before}/request`, 200, asked);
  const previsto = { usou_credito: true, sem_credito: false, taxa: 0 };
  await trainer.api.post(`/session-requests/${before}/grant`, { previsto });
  expect(await seen(before)).toMatchObject({ status: 'cancelada', usou_credito: true, taxa: 0 });
  // Later bookings are under the new policy.
  const since = await book(13);
  expect(await preview(since)).toEqual({
    sozinho: false,
    limite_horas: 720,
    texto: 'Faltam menos de 720 h: este cancelamento cobra taxa de R$\u00a025,00.',
  });
  await post(`${since}/request`, 200, asked);
  await trainer.api.post(`/session-requests/${since}/grant`, {});
  await caughtUp(database);
  const { items } = await read<OwnCharges>('/student/charges');
  expect(items).toMatchObject([
    { descricao: expect.stringContaining('Taxa de cancelamento fora do prazo · aula de '), falta: 2_500 },
  ]);
  const { id: charge_id, falta, vencimento } = items[0]!;
  expect((await read<OwnSessions>('/student/sessions')).desmarcadas).toMatchObject([
    { id: before, cobranca: null },
    { id: since, custo: 'cobrou taxa de R$\u00a025,00', cobranca: { id: charge_id, falta, vencimento } },
  ]);
});

it('changes are refused for a while after thirty in a minute, only for this student', async () => {
  const other = await studentAccount(app, trainer, bia, 'Bia');
  const id = await book(11);
  const path = `/api/v1/student/sessions/${id}/request/withdraw`;
  const answers = [];
  for (let n = 0; n < 31; n += 1) answers.push(await student.api.request<{ code: string }>('POST', path));
  expect(answers.slice(0, 30).map(({ status }) => status)).toEqual(Array(30).fill(200));
  const last = answers.at(-1)!;
  expect([last.status, last.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await other.api.request('POST', path)).status).toBe(404);
});

describe('after the notice', () => {
  it('the student sends a request, the session stays, and the trainer grants it by the policy or forgives', async () => {
    const id = await book(10);
    clock.at = new Date(on(9)(22));
    expect(await preview(id)).toEqual({
      sozinho: false,
      limite_horas: 24,
      texto: 'Faltam menos de 24 h: este cancelamento desconta 1 crédito.',
    });
    await post(`${id}/request`, 200, asked);
    expect((await post(`${id}/request`, 409, asked)).body.code).toBe('student_area.already_asked');
    expect(await requests()).toMatchObject([
      { id, student_nome: 'Ana Souza', pedido: 'desmarcar', ...asked },
    ]);
    expect((await seen(id)).status).toBe('agendada');
    expect(await next()).toMatchObject([{ id, pedido: { situacao: 'aberto' } }]);

    await trainer.api.post(`/session-requests/${id}/grant`, {
      previsto: { usou_credito: true, sem_credito: false, taxa: 0 },
    });
    expect(await requests()).toEqual([]);
    expect(await seen(id)).toMatchObject({ motivo: 'aluno_fora_do_prazo', usou_credito: true });
    expect(await balance()).toBe(3);

    const second = await agenda.book({ student_id: ana, inicio: on(10)(9), fim: on(10)(10) });
    await post(`${second}/request`, 200, asked);
    await trainer.api.post(`/session-requests/${second}/grant`, { perdoar: true });
    expect(await seen(second)).toMatchObject({ status: 'cancelada', usou_credito: false });
    const { desmarcadas } = (await student.api.get<OwnSessions>('/student/sessions')).body;
    expect(desmarcadas).toEqual([
      { id, inicio: on(10)(7), custo: 'descontou 1 crédito', cobranca: null },
      { id: second, inicio: on(10)(9), custo: 'não cobrou nada', cobranca: null },
    ]);
    await caughtUp(database);
    await expectRebuildToEqualLive(app, 'session-requests');
  });

  it('a request made in time costs nothing, however late the trainer answers', async () => {
    const id = await book(11);
    await post(`${id}/request`, 200, asked);
    clock.at = new Date(on(10)(22));
    expect(await requests()).toMatchObject([{ id, no_prazo: true }]);
    const query = { motivo: 'aluno_no_prazo' };
    const { previsto, texto } = (
      await trainer.api.get<CancellationPreview>(`/sessions/${id}/cancellation`, { query })
    ).body;
    expect(texto).toBe('Faltam 9 h, o prazo de 24 h já passou: este motivo não cobra nada.');
    await trainer.api.post(`/session-requests/${id}/grant`, { previsto });
    expect(await seen(id)).toMatchObject({
      status: 'cancelada',
      motivo: 'aluno_no_prazo',
      usou_credito: false,
      taxa: 0,
    });
    expect(await balance()).toBe(4);
    await expectRebuildToEqualLive(app, 'session-requests');
  });

  it('the trainer refuses with a text, which the student reads and both histories show', async () => {
    const id = await book(10);
    await post(`${id}/request`, 200, asked);
    await trainer.api.post(`/session-requests/${id}/refuse`, { mensagem: 'Já paguei a quadra' });
    expect(await next()).toMatchObject([
      { id, pedido: { situacao: 'recusado', mensagem: 'Já paguei a quadra' } },
    ]);
    const again = await trainer.api.post<{ code: string }>(
      `/session-requests/${id}/grant`,
      {},
      { status: 404 },
    );
    expect(again.body.code).toBe('student_area.nothing_asked');
    const query = { subject: `session:${id}` };
    const { items } = (await trainer.api.get<HistoryPage>('/history', { query })).body;
    expect(items.map(({ texto }) => texto).slice(0, 2)).toEqual([
      'Recusou o pedido para desmarcar a sessão: Já paguei a quadra',
      'O aluno pediu para desmarcar a sessão: Consulta no dentista',
    ]);
  });

  it('requests are listed in pages, the earliest session first, or for one session', async () => {
    const [second, first] = [
      await agenda.book({ student_id: ana, inicio: on(10)(9), fim: on(10)(10), location_id: location }),
      await book(10),
    ];
    for (const id of [second, first]) await post(`${id}/request`, 200, asked);
    await caughtUp(database);
    const page = async (query: Record<string, string | number>) => {
      const { items, next } = (await trainer.api.get<SessionRequests>('/session-requests', { query })).body;
      return { ids: items.map(({ id }) => id), next };
    };
    const { ids, next } = await page({ limit: 1 });
    expect(ids).toEqual([first]);
    expect(await page({ limit: 1, cursor: next! })).toEqual({ ids: [second], next: null });
    expect(await page({ session_id: second })).toEqual({ ids: [second], next: null });
    const query = { cursor: 'nonsense' };
    await trainer.api.get('/session-requests', { query, status: 400 });
  });

  it('a request is withdrawn, and ends with a move and with the start of the session', async () => {
    const id = await book(10);
    await post(`${id}/request`, 200, asked);
    await post(`${id}/request/withdraw`);
    expect(await requests()).toEqual([]);
    await post(`${id}/request`, 200, asked);
    await agenda.patch(id, { inicio: on(10)(9), fim: on(10)(10) });
    expect(await requests()).toEqual([]);
    await post(`${id}/request`, 200, asked);
    clock.at = new Date(on(10)(9));
    expect(await requests()).toEqual([]);
    const late = await trainer.api.post<{ code: string }>(
      `/session-requests/${id}/grant`,
      {},
      { status: 409 },
    );
    expect(late.body.code).toBe('student_area.over');
    await post(`${id}/request`, 409, asked);
  });
});

it("another student's session is not found", async () => {
  const id = await book(11, bia);
  for (const step of ['cancel', 'undo', 'request/withdraw']) await post(`${id}/${step}`, 404);
  await post(`${id}/request`, 404, asked);
  await student.api.get(`/student/sessions/${id}/cancellation`, { status: 404 });
});

describe('a mail', () => {
  const settings = { push: [], email: ['creditos', 'lembretes'], silencio: null, zona: 'America/Sao_Paulo' };
  const choose = (more: object) =>
    student.api.put('/student/notification-settings', { ...settings, ...more });
  const letter = (kind: string, subjectId: string) =>
    app.nest
      .get(Outbox)
      .compose({ id: subjectId, kind, tenantId: trainer.tenantId, personId: ana, subjectId });

  beforeEach(async () => {
    await trainer.api.patch(`/students/${ana}`, { email: student.person.email });
  });

  it('about a session, or about credits, is not sent to a student who does not want it', async () => {
    await trainer.api.patch(`/students/${ana}`, { plano_id: await agenda.plan({ validade_dias: 9 }) });
    await agenda.renew(ana);
    await book(10);
    clock.at = new Date(on(11)(12));
    await app.run(expiryWarningsDue.Handler);
    clock.at = new Date(on(9)(18));
    await app.run(prepareReminders.Handler);
    const { items: reminders } = (await trainer.api.get<ReminderList>('/reminders')).body;
    const { items: warnings } = (await trainer.api.get<ExpiryWarningList>('/expiry-warnings')).body;
    const both = () =>
      Promise.all([letter('reminders.session', reminders[0]!.id), letter('credits.expiry', warnings[0]!.id)]);
    expect(await both()).toMatchObject([{ to: student.person.email }, { to: student.person.email }]);
    await choose({ email: ['creditos'] });
    expect(await both()).toMatchObject([null, { to: student.person.email }]);
    await choose({ email: [] });
    expect(await both()).toEqual([null, null]);
  });

  it('that reminds of a contract is left to the trainer, who may still send it', async () => {
    const reminded = () =>
      database.query(`select from events where tenant_id = $1 and type = 'ContractReminded'`, [
        trainer.tenantId,
      ]);
    const toSend = async () => {
      clock.at = new Date(on(13)(9));
      await app.run(contractReminders.Handler);
      const { items } = (await trainer.api.get<ContractReminders>('/signature-requests/reminders')).body;
      clock.at = new Date(on(9)(12));
      return items;
    };
    const text = { titulo: 'Termo', conteudo: '<p>{{aluno}}</p>' };
    const contract = (await trainer.api.post('/contracts', text)).body.id;
    await choose({ desligados: ['assinaturas'] });
    await trainer.api.post(`/contracts/${contract}/send`, { alunos: [ana], canal: 'link' });
    const [waiting] = await toSend();
    expect([waiting?.student_nome, await reminded()]).toEqual(['Ana Souza', []]);
    expect(await letter('contracts.own-reminder', waiting!.id)).toBeNull();
    expect(await letter('contracts.reminder', waiting!.id)).toMatchObject({ to: student.person.email });
    await choose({ desligados: [] });
    expect(await letter('contracts.own-reminder', waiting!.id)).toMatchObject({ to: student.person.email });
    expect([await toSend(), (await reminded()).length]).toEqual([[], 1]);
  });
});
