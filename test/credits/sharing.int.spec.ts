import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CancellationPreview } from '../../backend/modules/agenda/agenda.api.js';
import type { Why } from '../../backend/modules/audit/why.api.js';
import type { CreditStatement, LowCreditsPage } from '../../backend/modules/credits/credits.api.js';
import type { MergePreview } from '../../backend/modules/merging/merging.api.js';
import type { NudgeList } from '../../backend/modules/nudges/nudges.api.js';
import { defaultBooking, type OwnTimes } from '../../backend/modules/student-area/student-booking.api.js';
import type { KnownStudent } from '../../backend/modules/students/students.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { lotsThatDiffer } from './lots.js';
import { caughtUp } from '../proof/read-tables.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { toldOf } from '../support/history.js';
import { textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

/** Monday 9 November 2026, 12:00. */
const clock = new SetClock(new Date(on(9)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let bia: string;

const database = await testDatabase();
const app = await sharedApp(clock);

/** Bia uses the credits of Ana, who has two. */
beforeEach(async () => {
  clock.at = new Date(on(9)(12));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ creditos: 2, valor: 16_000 }));
  bia = await agenda.student('Bia Lima');
  await agenda.renew(ana);
  await share(bia, ana);
});

const share = (id: string, dono_id: string | null, more: object = {}) =>
  trainer.api.put(`/students/${id}/credits/sharing`, { dono_id, ...more });
const statement = async (id: string, query = {}) =>
  (await trainer.api.get<CreditStatement>(`/students/${id}/credits`, { query })).body;
const adjust = (id: string, quantidade: number) =>
  trainer.api.post(`/students/${id}/credits/adjust`, { quantidade, motivo: 'Acerto' });
let hour = 0;
const lesson = (student_id: string, day = 6) => {
  hour = (hour + 1) % 10;
  return agenda.book({ student_id, inicio: on(day)(hour + 9), fim: on(day)(hour + 10) });
};
const balances = async () => [await agenda.balance(ana), await agenda.balance(bia)];

describe('a package that two students share', () => {
  it('is one balance on both pages, in whose account every use says for whom it was', async () => {
    expect(await balances()).toEqual([2, 2]);
    const whose = (id: string) => trainer.api.get<KnownStudent>(`/students/${id}`);
    expect([(await whose(ana)).body.creditos_de, (await whose(bia)).body.creditos_de]).toEqual([
      null,
      'Ana Souza',
    ]);
    const id = await lesson(bia);
    expect(await agenda.complete(id)).toMatchObject({ usou_credito: true });
    expect(await agenda.get(id)).toMatchObject({ valor: 8000, credito_de: 'Ana' });
    expect(await balances()).toEqual([1, 1]);
    const [anas, bias] = [await statement(ana), await statement(bia)];
    expect(anas).toMatchObject({
      saldo: 1,
      divisao: { usa: null, com: [{ id: bia, nome: 'Bia Lima' }] },
      extrato: {
        items: [{ tipo: 'consumo', session_id: id, de_aluno: { nome: 'Bia Lima' } }, { de_aluno: null }],
      },
    });
    expect(bias).toMatchObject({
      saldo: 0,
      divisao: { usa: { id: ana, nome: 'Ana Souza', saldo: 1 }, com: [] },
      extrato: { items: [] },
    });
    const { body: why } = await trainer.api.get<Why>('/why', { query: { de: `session:${id}` } });
    expect(why.elos.map(({ titulo }) => titulo)).toContain('Lote');
    const { elos } = (await trainer.api.get<Why>('/why', { query: { de: `balance:${bia}` } })).body;
    expect(elos.map(({ texto }) => texto)).toContainEqual(expect.stringContaining(', de Ana.'));
    for (const name of ['credits', 'credit-sharing']) await expectRebuildToEqualLive(app, name);
  });

  it('gives the last credit to one of two sessions that are done at the same moment', async () => {
    await adjust(ana, -1);
    const ids = [await lesson(ana), await lesson(bia)];
    const done = await Promise.all(ids.map((id) => agenda.complete(id)));
    expect(done.map(({ usou_credito }) => usou_credito).toSorted()).toEqual([false, true]);
    expect(await balances()).toEqual([0, 0]);
    expect(await lotsThatDiffer(database)).toEqual([]);
  });

  it('gives it to one of two done by one tap, of an hour for both', async () => {
    await adjust(ana, -1);
    const times = { inicio: on(6)(9), fim: on(6)(10) };
    const { body } = await trainer.api.post<{ id: string; session_ids: string[] }>('/sessions/groups', {
      student_ids: [ana, bia],
      ...times,
    });
    await trainer.api.post(`/sessions/groups/${body.id}/complete`);
    const done = await Promise.all(body.session_ids.map((id) => agenda.get(id)));
    expect(done.map(({ usou_credito }) => usou_credito).toSorted()).toEqual([false, true]);
  });

  it('offers its last credit to both, and lets one of them book', async () => {
    await adjust(ana, -1);
    await trainer.api.put('/settings/student-booking', defaultBooking);
    const both = await Promise.all([
      studentAccount(app, trainer, ana, 'Ana'),
      studentAccount(app, trainer, bia, 'Bia'),
    ]);
    const free = async () => {
      await caughtUp(database);
      return Promise.all(
        both.map(async ({ api }) => (await api.get<OwnTimes>('/student/free-times')).body.creditos_livres),
      );
    };
    expect(await free()).toEqual([1, 1]);
    const booked = await Promise.all(
      both.map(({ api }, n) =>
        api.request('POST', '/api/v1/student/sessions', {
          body: { inicio: on(10)(9 + 2 * n), location_id: null },
        }),
      ),
    );
    expect(booked.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect(await free()).toEqual([0, 0]);
    const own = (await both[1].api.get<CreditStatement>('/student/credits')).body;
    expect(own.divisao).toEqual({
      usa: { id: null, nome: 'Ana', saldo: 1 },
      com: [],
      texto: '1 crédito de Ana, para usar depois dos próprios.',
    });
    const headers = { authorization: `Bearer ${both[1].accessToken}` };
    const file = await fetch(`${app.url}/api/v1/student/credits/pdf`, { headers });
    expect(textOf(Buffer.from(await file.arrayBuffer()))).toContain('1 crédito de Ana');
    const anas = (await both[0].api.get<CreditStatement>('/student/credits')).body;
    expect(anas.divisao).toEqual({
      usa: null,
      com: [{ id: null, nome: 'Bia' }],
      texto: 'Bia também usa estes créditos.',
    });
  });

  it('is renewed, and running out, once: with whose it is', async () => {
    await trainer.api.patch(`/students/${bia}`, { plano_id: await agenda.plan({ nome: 'Pacote 8' }) });
    const { items } = (await trainer.api.get<LowCreditsPage>('/credits/low')).body;
    expect(items.map(({ id }) => id)).toEqual([ana]);
    // Ana herself does not train.
    for (const id of [await lesson(bia), await lesson(bia)]) await agenda.complete(id);
    await caughtUp(database);
    const nudges = (await trainer.api.get<NudgeList>('/nudges')).body.items;
    expect(nudges.map(({ motivo, student_id }) => [motivo, student_id])).toEqual([['renovar', ana]]);
  });

  it('is worth what the plan says that gave the credit, and without one what either plan says', async () => {
    const four = await agenda.plan({ nome: 'Pacote 4', creditos: 4, valor: 40_000 });
    await trainer.api.patch(`/students/${bia}`, { plano_id: four });
    await adjust(bia, 1);
    await adjust(ana, -1);
    const location_id = await agenda.location();
    await trainer.api.put(`/locations/${location_id}/policy`, {
      cancel_limite_horas: 24,
      taxa_percent: 50,
      queima_credito: false,
    });
    const late = await agenda.book({ student_id: bia, location_id, inicio: on(10)(9), fim: on(10)(10) });
    const worth = async () => {
      const query = { motivo: 'aluno_fora_do_prazo' };
      const told = await trainer.api.get<CancellationPreview>(`/sessions/${late}/cancellation`, { query });
      const id = await lesson(bia);
      const { usou_credito } = await agenda.complete(id);
      return [told.body.previsto.taxa, (await agenda.get(id)).valor, usou_credito];
    };
    expect(await worth()).toEqual([5000, 10_000, true]);
    expect(await worth()).toEqual([4000, 8000, true]);
    expect(await worth()).toEqual([4000, 8000, false]);
    await trainer.api.patch(`/students/${ana}`, { plano_id: null });
    expect(await worth()).toEqual([5000, 10_000, false]);
    const cancelled = { motivo: 'aluno_fora_do_prazo', aplicar_politica: true };
    expect(await agenda.cancel(late, cancelled)).toMatchObject({ taxa: 5000 });
  });

  it('turns a credit of the own plan into a make-up by that plan', async () => {
    await trainer.api.put('/settings/make-up', { ativo: true, teto_percent: 25, prazo_meses: 1 });
    const four = await agenda.plan({ nome: 'Pacote 4', creditos: 4, valor: 40_000, validade_dias: 20 });
    await trainer.api.patch(`/students/${bia}`, { plano_id: four });
    await trainer.api.patch(`/students/${ana}`, { plano_id: null });
    await agenda.renew(bia);
    const id = await agenda.book({ student_id: bia, inicio: on(20)(9), fim: on(20)(10) });
    await agenda.cancel(id, { motivo: 'aluno_no_prazo' });
    expect((await statement(bia)).lotes.map(({ reposicao }) => reposicao)).toEqual([true, false]);
  });

  it('costs a late cancellation what is announced, and gives the credit back by an undo after the sharing', async () => {
    const location_id = await agenda.location();
    await trainer.api.put(`/locations/${location_id}/policy`, {
      cancel_limite_horas: 24,
      taxa_percent: 50,
      queima_credito: true,
    });
    const times = { inicio: on(10)(9), fim: on(10)(10) };
    const id = await agenda.book({ student_id: bia, location_id, ...times });
    const motivo = 'aluno_fora_do_prazo';
    const preview = async () =>
      (await trainer.api.get<CancellationPreview>(`/sessions/${id}/cancellation`, { query: { motivo } })).body
        .previsto;
    expect(await preview()).toEqual({ usou_credito: true, sem_credito: false, taxa: 4000 });
    await adjust(ana, -2);
    expect(await preview()).toEqual({ usou_credito: false, sem_credito: true, taxa: 4000 });
    await adjust(ana, 2);
    const cancelled = { motivo, aplicar_politica: true, previsto: await preview() };
    expect(await agenda.cancel(id, cancelled)).toMatchObject(cancelled.previsto);
    const done = await lesson(bia);
    await agenda.complete(done);
    expect(await balances()).toEqual([0, 0]);
    await share(bia, null);
    await adjust(bia, 1);
    const own = await lesson(bia);
    await agenda.complete(own);
    const whose = async (id: string) => (await agenda.get(id)).credito_de;
    expect([await whose(done), await whose(own)]).toEqual(['Ana', undefined]);
    await agenda.reopen(own);
    expect(await agenda.get(own)).toMatchObject({ usou_credito: false });
    await agenda.reopen(done);
    expect(await whose(done)).toBeUndefined();
    expect(await balances()).toEqual([1, 1]);
    expect(await lotsThatDiffer(database)).toEqual([]);
  });

  it('is seen at a past moment as it was then', async () => {
    clock.at = new Date();
    const id = await lesson(bia);
    await agenda.complete(id);
    await caughtUp(database);
    clock.at = new Date();
    const then = clock.at.toISOString();
    const before = await statement(ana);
    await share(bia, null);
    await agenda.reopen(id);
    expect((await statement(ana, { at: then })).divisao).toEqual(before.divisao);
    expect((await statement(ana, { at: then })).extrato).toMatchObject({
      items: [{ de_aluno: { id: bia }, sessao: { excluida: false } }, {}],
    });
    expect(await statement(bia, { at: then })).toMatchObject({ divisao: { usa: { id: ana, saldo: 1 } } });
  });

  it('is refused in a chain, with an archived student, and for a stranger', async () => {
    const caio = await agenda.student('Caio Reis');
    const body = (dono_id: string) => ({ dono_id });
    const refused = (status: number, id: string, dono: string) =>
      agenda.refused(status, 'PUT', `/students/${id}/credits/sharing`, body(dono));
    expect(await refused(422, caio, bia)).toMatchObject({ code: 'credits.sharing_chain' });
    expect(await refused(422, ana, caio)).toMatchObject({ code: 'credits.sharing_chain' });
    expect(await refused(422, ana, ana)).toMatchObject({ code: 'credits.same_student' });
    await trainer.api.post(`/students/${caio}/archive`);
    expect(await refused(409, bia, caio)).toMatchObject({ code: 'students.archived' });
    await share(bia, null, { se_ainda: { dono_id: ana } });
    await share(bia, ana, { se_ainda: { dono_id: null } });
    expect(await balances()).toEqual([2, 2]);
  });

  it('makes no chain by a student who comes back', async () => {
    await trainer.api.delete(`/students/${bia}`);
    await share(ana, await agenda.student('Caio Reis'));
    await trainer.api.post(`/students/${bia}/restore`, {});
    expect((await statement(bia)).divisao.usa).toBeNull();
  });

  it('is used by hand where it is', async () => {
    const wanted = { motivo: 'Aula na praia' };
    const refused = await agenda.refused(422, 'POST', `/students/${bia}/credits/consume`, wanted);
    expect(refused).toMatchObject({
      code: 'credits.none_available',
      detail: expect.stringContaining('extrato'),
    });
    await trainer.api.post(`/students/${ana}/credits/consume`, wanted);
    expect(await balances()).toEqual([1, 1]);
  });

  it('loses no credit once whose it is is inactive, or forgotten', async () => {
    await trainer.api.post(`/students/${ana}/archive`);
    expect(await agenda.complete(await lesson(bia))).toMatchObject({ usou_credito: true });
    await trainer.api.post(`/students/${ana}/forget`);
    const last = await lesson(bia);
    expect(await agenda.complete(last)).toMatchObject({ usou_credito: true });
    expect(await agenda.reopen(last)).toMatchObject({ usou_credito: false });
    expect(await agenda.balance(bia)).toBe(1);
    expect((await statement(bia)).divisao.usa).toMatchObject({ nome: null, saldo: 1 });
    await trainer.api.post(`/students/${bia}/forget`);
    expect((await statement(ana)).divisao).toEqual({ usa: null, com: [], texto: null });
  });
});

describe('merging two records of which one shares credits', () => {
  const merge = async (fica: string, com: string) =>
    (await trainer.api.post(`/students/${fica}/merge`, { com })).body.id;
  const undo = (id: string) => trainer.api.post(`/student-merges/${id}/undo`);
  const usesOf = async (id: string) => (await statement(id)).divisao.usa?.id ?? null;

  it('leaves those who use the credits with the one who stays, until that is undone', async () => {
    const done = await lesson(bia);
    await agenda.complete(done);
    const caio = await agenda.student('Ana de Souza');
    const id = await merge(caio, ana);
    expect([await usesOf(bia), await agenda.balance(bia)]).toEqual([caio, 1]);
    const told = await toldOf(trainer.api, `student:${caio}`);
    expect(told).toContain('Passou a dividir os créditos com outro aluno');
    expect(told).not.toContain('Passou a usar também os créditos de outro aluno');
    await agenda.reopen(done);
    expect([await agenda.balance(caio), await agenda.balance(bia)]).toEqual([2, 2]);
    await agenda.complete(done);
    await undo(id);
    expect([await usesOf(bia), await agenda.balance(bia)]).toEqual([ana, 1]);
    await share(bia, null);
    await agenda.reopen(done);
    expect(await agenda.balance(ana)).toBe(2);
  });

  it('finds the credit of a session also where the sharing had ended before', async () => {
    const done = await lesson(bia);
    await agenda.complete(done);
    await share(bia, null);
    const caio = await agenda.student('Ana de Souza');
    const davi = await agenda.student('Ana S.');
    await merge(caio, ana);
    await merge(davi, caio);
    expect((await statement(davi)).extrato.items[0]).toMatchObject({ de_aluno: { id: bia } });
    await agenda.reopen(done);
    expect(await agenda.balance(davi)).toBe(2);
  });

  it('lets the one who stays use what the other one used, until that is undone', async () => {
    const done = await lesson(bia);
    await agenda.complete(done);
    const caio = await agenda.student('Bia de Lima');
    const id = await merge(caio, bia);
    expect([await usesOf(caio), await agenda.balance(caio)]).toEqual([ana, 1]);
    await undo(id);
    expect([await usesOf(caio), await usesOf(bia)]).toEqual([null, ana]);
    await share(bia, null);
    await merge(caio, bia);
    expect(await usesOf(caio)).toBeNull();
    await agenda.reopen(done);
    expect(await agenda.balance(ana)).toBe(2);
  });

  it('of the two who share is one account', async () => {
    const id = await merge(bia, ana);
    expect([await usesOf(bia), await agenda.balance(bia)]).toEqual([null, 2]);
    await undo(id);
    expect([await usesOf(bia), ...(await balances())]).toEqual([ana, 2, 2]);
    await merge(ana, bia);
    expect(await agenda.balance(ana)).toBe(2);
    // Whoever is merged uses nothing any more.
    await share(ana, await agenda.student('Caio Reis'));
  });

  it('makes no chain where somebody else came to use the credits before that is undone', async () => {
    const id = await merge(bia, ana);
    await share(await agenda.student('Caio Reis'), bia);
    await undo(id);
    expect(await usesOf(bia)).toBeNull();
  });

  it('says what stands in the way where both use those of others, or it made a chain', async () => {
    const impediments = async (fica: string, com: string) =>
      (await trainer.api.get<MergePreview>(`/students/${fica}/merge`, { query: { com } })).body.impedimentos;
    const [caio, davi] = [await agenda.student('Caio Reis'), await agenda.student('Davi Reis')];
    await share(caio, davi);
    expect(await impediments(caio, bia)).toEqual([expect.stringContaining('cada um de um')]);
    expect(await impediments(davi, bia)).toEqual([expect.stringContaining('outro aluno usa os seus')]);
    expect(await impediments(ana, davi)).toEqual([]);
  });
});
