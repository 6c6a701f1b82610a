import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CancellationPreview, SessionToChargePage } from '../../backend/modules/agenda/agenda.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import { lotsThatDiffer } from '../credits/lots.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { agendaOf, on } from './trainer.js';

const clock = new SetClock(new Date(on(25)(22)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let location: string;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(25)(22));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ valor: 10_000, creditos: 3 }));
  await agenda.renew(ana);
  location = await agenda.location();
});

const at = on(26);
const policy = (terms: object) =>
  trainer.api.put(`/locations/${location}/policy`, {
    cancel_limite_horas: 24,
    taxa_percent: 0,
    queima_credito: false,
    ...terms,
  });
const bookAt = (hour: number, more: object = {}) =>
  agenda.book({ student_id: ana, inicio: at(hour), fim: at(hour + 1), location_id: location, ...more });
const preview = async (id: string, motivo: string) =>
  (await trainer.api.get<CancellationPreview>(`/sessions/${id}/cancellation`, { query: { motivo } })).body;
const toCharge = async () =>
  (await trainer.api.get<SessionToChargePage>('/sessions/to-charge')).body.items.map(
    ({ id, status, taxa, a_cobrar }) => ({ id, status, taxa, a_cobrar }),
  );

const late = { motivo: 'aluno_fora_do_prazo', aplicar_politica: true };

describe('a cancellation announces its cost before it is confirmed', () => {
  it('under a policy with a credit and a fee', async () => {
    await policy({ queima_credito: true, taxa_percent: 50 });
    const id = await bookAt(7);
    expect(await preview(id, 'aluno_fora_do_prazo')).toEqual({
      motivo: 'aluno_fora_do_prazo',
      motivo_confere: true,
      minutos_ate_inicio: 540,
      permitido: true,
      limite_horas: 24,
      tem_custo: true,
      previsto: { usou_credito: true, sem_credito: false, taxa: 1667 },
      texto: 'Faltam 9 h, a política é de 24 h: desconta 1 crédito e cobra taxa de R$\u00a016,67.',
      perdoado: { usou_credito: false, sem_credito: false, taxa: 0 },
      texto_perdoado: 'Perdoado desta vez: não cobra nada.',
    });
    expect(await preview(id, 'aluno_no_prazo')).toMatchObject({ motivo_confere: false });
  });

  it('under the default policy if the location has none, or there is no location', async () => {
    const texto = 'Faltam 9 h, a política é sem custo: não cobra nada.';
    const expected = { tem_custo: false, texto };
    expect(await preview(await bookAt(7), 'aluno_fora_do_prazo')).toMatchObject(expected);
    const nowhere = await agenda.book({ student_id: ana, inicio: at(8), fim: at(9) });
    expect(await preview(nowhere, 'personal')).toMatchObject({ motivo_confere: true, tem_custo: false });
  });
});

describe('the announced cost is charged', () => {
  const reasons = ['personal', 'aluno_no_prazo', 'aluno_fora_do_prazo', 'falta'] as const;
  const terms = { queima_credito: true, taxa_percent: 50 };
  const cost = ({ usou_credito, sem_credito, taxa }: CancellationPreview['previsto']) => ({
    usou_credito,
    sem_credito,
    taxa,
  });

  describe.each([
    ['days before', on(23)(7), [false]],
    ['hours before', at(1), [true, false]],
    ['once it has begun', at(7, 20), [true, false]],
  ])('%s', (_when, now, doneOrNot) => {
    it.each(
      reasons.flatMap((motivo) =>
        [3, 0].flatMap((credits) => doneOrNot.map((done) => [motivo, credits, done] as const)),
      ),
    )('for %s, with %i credits, done before: %s', async (motivo, credits, done) => {
      await policy(terms);
      const id = await bookAt(7);
      if (credits === 0)
        await trainer.api.post(`/students/${ana}/credits/adjust`, { quantidade: -3, motivo: 'Acerto' });
      clock.at = new Date(now);
      if (done) await agenda.complete(id);
      const { permitido, tem_custo, previsto } = await preview(id, motivo);
      const body = { motivo, previsto, ...(tem_custo && { aplicar_politica: true }) };
      if (!permitido) {
        await agenda.refused(422, 'POST', `/sessions/${id}/cancel`, body);
        return;
      }
      expect(cost(await agenda.cancel(id, body))).toEqual(previsto);
    });
  });

  it('also if the session returns a credit to a lot that has expired', async () => {
    await policy({ queima_credito: true });
    const brief = await agenda.plan({ creditos: 1, validade_dias: 1 });
    const bia = await agenda.student('Bia', brief);
    await agenda.renew(bia);
    const id = await bookAt(7, { student_id: bia });
    clock.at = new Date(at(6));
    await agenda.complete(id);
    clock.at = new Date(on(29)(8));
    const { previsto } = await preview(id, 'falta');
    expect(previsto).toEqual({ usou_credito: false, sem_credito: true, taxa: 0 });
    expect(cost(await agenda.cancel(id, { motivo: 'falta', aplicar_politica: true, previsto }))).toEqual(
      previsto,
    );
  });

  it('or the cancellation is refused, if the session was moved to another location after the announcement', async () => {
    await policy(terms);
    const id = await bookAt(7);
    const { previsto } = await preview(id, 'aluno_fora_do_prazo');
    await agenda.patch(id, { location_id: await agenda.location('Praia') });
    expect(await agenda.refused(409, 'POST', `/sessions/${id}/cancel`, { ...late, previsto })).toMatchObject({
      code: 'agenda.cost_changed',
    });
    expect(await agenda.get(id)).toMatchObject({ status: 'agendada' });
  });

  it('by the policy that applied at the booking', async () => {
    await policy(terms);
    const id = await bookAt(7);
    const { previsto, texto } = await preview(id, 'aluno_fora_do_prazo');
    await policy({ taxa_percent: 100 });
    expect(await preview(id, 'aluno_fora_do_prazo')).toMatchObject({
      previsto,
      texto: `${texto} Vale a política de quando a sessão foi agendada.`,
    });
    await policy(terms);
    expect(await preview(id, 'aluno_fora_do_prazo')).toMatchObject({ previsto, texto });
    await policy({ taxa_percent: 100 });
    expect(cost(await agenda.cancel(id, { ...late, previsto }))).toEqual(previsto);
  });
});

describe('cancelling under the policy', () => {
  it('costs a credit and a fee if it is late, and reopening returns both', async () => {
    await policy({ queima_credito: true, taxa_percent: 50 });
    const id = await bookAt(7);
    expect(await agenda.cancel(id, late)).toEqual({
      id,
      status: 'cancelada',
      usou_credito: true,
      sem_credito: false,
      taxa: 1667,
    });
    expect(await agenda.balance(ana)).toBe(2);
    expect(await toCharge()).toEqual([]);

    expect(await agenda.reopen(id)).toMatchObject({ status: 'agendada', usou_credito: false, taxa: 0 });
    expect(await agenda.balance(ana)).toBe(3);
    expect(await toCharge()).toEqual([]);
  });

  it('costs nothing if it is in time', async () => {
    await policy({ queima_credito: true, cancel_limite_horas: 9 });
    expect(
      await agenda.cancel(await bookAt(7), { motivo: 'aluno_no_prazo', aplicar_politica: true }),
    ).toMatchObject({ usou_credito: false, taxa: 0 });
    expect(await agenda.balance(ana)).toBe(3);
  });

  it('of a done session keeps the one credit that it used', async () => {
    await policy({ queima_credito: true });
    const id = await bookAt(7);
    clock.at = new Date(at(6));
    await agenda.complete(id);
    expect(await agenda.cancel(id, late)).toMatchObject({ usou_credito: true });
    expect(await agenda.balance(ana)).toBe(2);
  });

  it('without a remaining credit records that the session is to be charged', async () => {
    await policy({ queima_credito: true });
    await trainer.api.post(`/students/${ana}/credits/adjust`, { quantidade: -3, motivo: 'Acerto' });
    const id = await bookAt(7);
    expect(await agenda.cancel(id, late)).toMatchObject({ usou_credito: false, sem_credito: true });
    expect(await toCharge()).toEqual([{ id, status: 'cancelada', taxa: 0, a_cobrar: 3333 }]);
  });

  it('returns the credit if the session is deleted, and uses it again if it is restored', async () => {
    await policy({ queima_credito: true });
    const id = await bookAt(7);
    await agenda.cancel(id, late);
    await agenda.remove(id);
    expect(await agenda.balance(ana)).toBe(3);
    expect(await agenda.restore(id)).toMatchObject({ status: 'cancelada', usou_credito: true });
    expect(await agenda.balance(ana)).toBe(2);
  });

  it('a no-show can be recorded once the session has started', async () => {
    await policy({ queima_credito: true });
    const id = await bookAt(7);
    const noShow = { motivo: 'falta', aplicar_politica: true };
    await agenda.refused(422, 'POST', `/sessions/${id}/cancel`, { motivo: 'falta' });
    const early = await agenda.refused(422, 'POST', `/sessions/${id}/cancel`, noShow);
    expect(early).toMatchObject({
      code: 'agenda.reason_disagrees',
      detail: 'A sessão ainda não começou: a falta só pode ser registrada depois do início.',
    });
    clock.at = new Date(at(7, 20));
    expect(await agenda.cancel(id, noShow)).toMatchObject({ usou_credito: true });
  });

  it('is refused for a reason that contradicts the time', async () => {
    const id = await bookAt(7);
    const refusal = await agenda.refused(422, 'POST', `/sessions/${id}/cancel`, {
      motivo: 'aluno_no_prazo',
      aplicar_politica: true,
    });
    const detail = 'Não confere: faltam 9 h, a política é de 24 h.';
    expect(refusal).toMatchObject({
      code: 'agenda.reason_disagrees',
      detail,
      errors: [{ pointer: '/motivo', detail }],
    });
    expect(await agenda.get(id)).toMatchObject({ status: 'agendada' });
  });
});

describe('a make-up', () => {
  const inTime = { motivo: 'aluno_no_prazo', aplicar_politica: true };
  const account = async () =>
    (await trainer.api.get<CreditStatement>(`/students/${bia}/credits`, { query: { limit: 10 } })).body;
  const lots = async () =>
    (await account()).lotes.map(({ restante, expira_em, reposicao }) => [restante, expira_em, reposicao]);
  let bia: string;

  beforeEach(async () => {
    await policy({ cancel_limite_horas: 2 });
    // Two make-ups a month for a plan of 8 credits.
    bia = await agenda.student('Bia', await agenda.plan({ creditos: 8, validade_dias: 10 }));
    await agenda.renew(bia);
    await trainer.api.put('/settings/make-up', { ativo: true, teto_percent: 25, prazo_meses: 1 });
  });

  it('is announced, given for a cancellation in time with its own deadline, used first, and taken back', async () => {
    const first = await bookAt(7, { student_id: bia });
    expect(await preview(first, 'aluno_no_prazo')).toMatchObject({
      texto:
        'Faltam 9 h, a política é sem custo: não cobra nada. 1 crédito vira reposição, com validade até 31/12/2026.',
      previsto: { usou_credito: false },
    });
    await agenda.cancel(first, inTime);
    const whole = [[8, '2026-12-05', false]];
    const split = [
      [1, '2026-12-31', true],
      [7, '2026-12-05', false],
    ];
    expect(await lots()).toEqual(split);
    expect((await account()).extrato.items[0]).toMatchObject({
      tipo: 'reposicao',
      quantidade: 0,
      saldo: 8,
      session_id: first,
    });
    await agenda.reopen(first);
    expect(await lots()).toEqual(whole);
    expect(await lotsThatDiffer(database)).toEqual([]);
    expect((await account()).extrato.items[0]).toMatchObject({ tipo: 'reposicao_desfeita', saldo: 8 });

    await agenda.cancel(first, inTime);
    clock.at = new Date(at(6));
    await agenda.complete(await bookAt(8, { student_id: bia }));
    expect(await lots()).toEqual([[7, '2026-12-05', false]]);
    await agenda.reopen(first);
    expect(await agenda.balance(bia)).toBe(7);
    clock.at = new Date(on(37)(12));
    expect(await agenda.balance(bia)).toBe(0);
    await expectRebuildToEqualLive(app, 'credits');
    await expectRebuildToEqualLive(app, 'make-up-rules');
  });

  it('remains once the other credits have expired, and expires by itself', async () => {
    await agenda.cancel(await bookAt(7, { student_id: bia }), inTime);
    clock.at = new Date(on(37)(12));
    expect(await agenda.balance(bia)).toBe(1);
    clock.at = new Date('2027-01-01T03:00:00.000Z');
    expect(await agenda.balance(bia)).toBe(0);
    expect((await account()).extrato.items.map(({ tipo, quantidade }) => [tipo, quantidade])).toEqual([
      ['expiracao', -1],
      ['expiracao', -7],
      ['reposicao', 0],
      ['concessao', 8],
    ]);
  });

  it('is given only up to the limit, not while it is switched off, and not for cancellations by the trainer', async () => {
    for (const hour of [7, 8]) await agenda.cancel(await bookAt(hour, { student_id: bia }), inTime);
    const third = await bookAt(9, { student_id: bia });
    expect(await preview(third, 'aluno_no_prazo')).toMatchObject({
      texto: expect.stringContaining('O limite de reposições do mês já foi usado.'),
    });
    await agenda.cancel(third, inTime);
    expect((await lots()).filter(([, , isMakeUp]) => isMakeUp)).toHaveLength(2);
    await trainer.api.post(`/students/${bia}/credits/adjust`, { quantidade: -2, motivo: 'Acerto' });
    await trainer.api.put('/settings/make-up', { ativo: false, teto_percent: 100, prazo_meses: 1 });
    await agenda.cancel(await bookAt(10, { student_id: bia }), inTime);
    await trainer.api.put('/settings/make-up', { ativo: true, teto_percent: 100, prazo_meses: 1 });
    await agenda.cancel(await bookAt(11, { student_id: bia }));
    expect(await lots()).toEqual([[6, '2026-12-05', false]]);
  });
});

it('forgiving costs nothing, whatever the policy, and keeps the reason', async () => {
  await policy({ queima_credito: true, taxa_percent: 100 });
  const id = await bookAt(7);
  const forgiven = { motivo: 'aluno_fora_do_prazo', justificativa: 'Febre' };
  expect(await agenda.cancel(id, forgiven)).toMatchObject({ usou_credito: false, taxa: 0 });
  expect(await agenda.get(id)).toMatchObject({ status: 'cancelada', motivo: 'aluno_fora_do_prazo' });
  expect(await agenda.balance(ana)).toBe(3);
});

it('a reopening of a forgiven cancellation can be undone with its reason, unless the session was changed since', async () => {
  await policy({ queima_credito: true, taxa_percent: 100 });
  const id = await bookAt(7);
  await agenda.cancel(id, { motivo: 'aluno_fora_do_prazo', aplicar_politica: false, justificativa: 'Febre' });
  await agenda.reopen(id);
  const free = { usou_credito: false, sem_credito: false, taxa: 0 };
  const again = { motivo: 'aluno_fora_do_prazo', previsto: free, de_novo: 'agendada' };
  clock.at = new Date(at(6));
  await agenda.complete(id);
  expect(await agenda.refused(409, 'POST', `/sessions/${id}/cancel`, again)).toMatchObject({
    code: 'changed_since',
  });
  await agenda.reopen(id);
  expect(await agenda.cancel(id, again)).toMatchObject({ status: 'cancelada', ...free });
  const { body } = await trainer.api.get<HistoryPage>('/history', { query: { subject: `session:${id}` } });
  const reasons = body.items.filter(({ texto }) => texto.includes('justificativa (Febre)'));
  expect(reasons).toHaveLength(2);
});

it('an edit that also reopened a cancelled session is undone as a whole, with the former cost, or not at all', async () => {
  await policy({ queima_credito: true, taxa_percent: 50 });
  const id = await bookAt(7);
  const { usou_credito, sem_credito, taxa } = await agenda.cancel(id, late);
  const before = await agenda.get(id);
  const edit = { status: 'agendada', inicio: at(19), fim: at(20), observacoes: 'Joelho' };
  await agenda.patch(id, edit);
  const undo = (previsto: object) => ({
    inicio: at(7),
    fim: at(8),
    observacoes: null,
    se_ainda: edit,
    cancelamento: { ...late, previsto, de_novo: 'agendada' },
  });
  const other = { usou_credito, sem_credito, taxa: taxa + 1 };
  expect(await agenda.refused(409, 'PATCH', `/sessions/${id}`, undo(other))).toMatchObject({
    code: 'agenda.cost_changed',
  });
  expect(await agenda.get(id)).toMatchObject(edit);
  await agenda.patch(id, undo({ usou_credito, sem_credito, taxa }));
  expect(await agenda.get(id)).toEqual(before);
  expect(await agenda.balance(ana)).toBe(2);
  await expectRebuildToEqualLive(app, 'sessions');
});

it('forgiving needs a reason', async () => {
  const id = await bookAt(7);
  const unexplained = { motivo: 'aluno_fora_do_prazo', aplicar_politica: false };
  expect(await agenda.refused(422, 'POST', `/sessions/${id}/cancel`, unexplained)).toMatchObject({
    errors: [{ pointer: '/justificativa', detail: 'Informe por que perdoar desta vez' }],
  });
});

it('moving a session never costs', async () => {
  await policy({ queima_credito: true, taxa_percent: 100 });
  await agenda.patch(await bookAt(7), { inicio: at(19), fim: at(20) });
  expect(await agenda.balance(ana)).toBe(3);
  expect(await toCharge()).toEqual([]);
});
