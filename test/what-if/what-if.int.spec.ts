import { randomUUID } from 'node:crypto';
import { addDays, subHours } from 'date-fns';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { session, single } from '../../backend/modules/sessions/session.js';
import type { WhatIf } from '../../backend/modules/what-if/what-if.api.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { brl } from '../../backend/platform/portuguese.js';
import { agendaOf } from '../agenda/trainer.js';
import { contextOf } from '../platform/platform.js';
import { countEvents } from '../support/database.js';
import { dayOf } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

const app = await sharedApp();
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
});

const ago = (hours: number) => subHours(new Date(), hours).toISOString();
const day = (later: number) => dayOf(addDays(new Date(), later));
const asks = async (path: string, query: Record<string, string>) =>
  (await trainer.api.get<WhatIf>(path, { query })).body;

describe('other terms of cancellation', () => {
  const terms = { cancel_limite_horas: '24', taxa_percent: '50', queima_credito: 'sim' };

  it('decide anew what students cancelled or missed, and change nothing', async () => {
    const [place, elsewhere] = [await agenda.location('Parque'), await agenda.location('Estúdio')];
    expect((await asks('/what-if/policy', terms)).passado).toMatchObject({ valor: 0, meses: [] });
    const student_id = await agenda.student('Ana Souza', await agenda.plan({ valor: 30_000, creditos: 4 }));
    const booked = (location_id: string, hours: number) =>
      agenda.book({ student_id, location_id, inicio: ago(hours), fim: ago(hours - 1) });
    const [missed, early, own, away] = [
      await booked(place, 50),
      await booked(place, 48),
      await booked(place, 46),
      await booked(elsewhere, 44),
    ];
    await agenda.cancel(missed, { motivo: 'falta' });
    await agenda.cancel(early, { motivo: 'aluno_no_prazo' });
    await agenda.cancel(own, { motivo: 'personal' });
    await agenda.cancel(away, { motivo: 'falta' });
    const before = await countEvents();
    const here = { ...terms, location_id: place };
    const { passado, futuro, alunos } = await asks('/what-if/policy', here);
    expect(passado).toMatchObject({ quantidade: 2, valor: 2 * (7_500 + 3_750) });
    expect(passado!.texto).toBe(
      `Com 24 h e 50%, os últimos 90 dias teriam dado ${brl(22_500)} a mais, de 1 aluno: Ana.`,
    );
    expect([futuro, alunos]).toEqual([
      null,
      [{ id: student_id, nome: 'Ana Souza', valor: 22_500, quantidade: 2 }],
    ]);
    const fee = await asks('/what-if/policy', { ...here, queima_credito: 'nao', taxa_percent: '100' });
    expect(fee.passado).toMatchObject({ quantidade: 2, valor: 15_000 });
    expect((await asks('/what-if/policy', terms)).passado).toMatchObject({ quantidade: 3 });
    expect(await countEvents()).toBe(before);
    for (const taxa_percent of ['101', ''])
      await trainer.api.get('/what-if/policy', { query: { ...terms, taxa_percent }, status: 400 });
  });

  it('decide all of them, however many there were', async () => {
    const MANY = 1_203;
    const place = await agenda.location('Estúdio cheio');
    const student_id = await agenda.student('Bia Lima');
    const about = { student_id, inicio: ago(30), fim: ago(29) };
    await app.nest.get(EventStore).transact({ context: contextOf(trainer.tenantId) }, (tx) => {
      for (let n = 0; n < MANY; n += 1) {
        const session_id = randomUUID();
        const booked = { ...about, ...single, session_id, permitir_conflito: true, location_id: place };
        const settled = { credito: 'nenhum', valor: 5_000, taxa: 0 } as const;
        tx.append(session, session_id, [
          {
            type: 'SessionBooked',
            data: { ...booked, timezone: 'America/Sao_Paulo', observacoes: null, confirmado: true },
          },
          {
            type: 'SessionCancelled',
            data: {
              ...about,
              ...settled,
              session_id,
              de: 'agendada',
              motivo: 'falta',
              politica: null,
              justificativa: null,
            },
          },
        ]);
      }
      return { id: place };
    });
    // Its answer tells how far the reads have to be.
    await agenda.location('Outro');
    const { passado } = await asks('/what-if/policy', terms);
    expect(passado).toMatchObject({ quantidade: MANY, valor: MANY * 7_500 });
  });
});

describe('another price of a plan', () => {
  const charge = (student_id: string, plano_id: string, valor: number, vencimento = day(-1)) =>
    trainer.api.post('/charges', { student_id, plano_id, valor, vencimento, descricao: 'Pacote' });

  it('counts for what was charged at its price of then, and not for a price that was agreed', async () => {
    const plan = await agenda.plan({ valor: 30_000, creditos: 4 });
    const [ana, bia] = [await agenda.student('Ana Souza', plan), await agenda.student('Bia Lima', plan)];
    await charge(ana, plan, 30_000);
    await charge(bia, plan, 25_000);
    await trainer.api.patch(`/plans/${plan}`, { valor: 32_000 });
    await charge(ana, plan, 32_000);
    await charge(ana, plan, 32_000, day(-95));
    const { passado, alunos, notas } = await asks(`/what-if/plans/${plan}`, {
      valor: '35000',
      creditos: '5',
    });
    expect(passado).toMatchObject({ quantidade: 2, valor: 5_000 + 3_000 });
    expect(alunos).toEqual([{ id: ana, nome: 'Ana Souza', valor: 8_000, quantidade: 2 }]);
    expect(notas[0]).toBe('Com 5 créditos em vez de 4, seriam 2 sessões a mais em 90 dias.');
    expect(notas.at(-1)).toBe('Fica de fora quem tem outro preço combinado: 1 aluno: Bia.');
  });

  it('counts for the monthly plans that are to be billed at its price', async () => {
    const plan = await agenda.plan({ valor: 40_000, tipo: 'mensal' });
    const [ana, bia] = [await agenda.student('Ana Souza'), await agenda.student('Bia Lima')];
    const agree = (student: string, valor: number) =>
      trainer.api.put(`/students/${student}/monthly-plan`, {
        plano_id: plan,
        valor,
        desde: `${dayOf().slice(0, 7)}-01`,
        ate: null,
        vence_dia: 5,
      });
    await agree(ana, 40_000);
    await agree(bia, 36_000);
    const { futuro } = await asks(`/what-if/plans/${plan}`, { valor: '38000' });
    expect(futuro).toMatchObject({ quantidade: 3, valor: 3 * -2_000 });
    expect(futuro!.meses.map(({ valor }) => valor)).toEqual([-2_000, -2_000, -2_000]);
    const { futuro: without } = await asks('/what-if/students', { alunos: `${ana},${bia}` });
    expect(without).toMatchObject({ quantidade: 6, valor: -3 * 76_000 });
    expect(without!.texto).toContain('Sem Ana e Bia, de ');
    expect((await asks('/what-if/students', { alunos: randomUUID() })).futuro).toMatchObject({
      valor: 0,
      meses: [],
    });
  });
});

describe('times that would not be worked', () => {
  /** At 20:00 in São Paulo, so many days from today. */
  const evening = (later: number) => new Date(`${day(later)}T23:00:00Z`).toISOString();
  const weekday = (later: number) => String(new Date(`${day(later)}T12:00:00Z`).getUTCDay());

  it('lose the sessions that overlap them: those that were, and those to come', async () => {
    const plan = await agenda.plan({ valor: 30_000, creditos: 4 });
    const student_id = await agenda.student('Ana Souza', plan);
    await agenda.renew(student_id);
    const book = (later: number) => {
      const inicio = evening(later);
      const fim = new Date(Date.parse(inicio) + 3_600_000).toISOString();
      return agenda.book({ student_id, inicio, fim, permitir_conflito: true });
    };
    const [done, cancelled] = [await book(-7), await book(-14)];
    await book(7);
    await agenda.complete(done);
    await agenda.cancel(cancelled);
    const query = { dias: weekday(0), inicio: '20:30', fim: '24:00' };
    const { passado, futuro } = await asks('/what-if/hours', query);
    expect([passado, futuro]).toMatchObject([
      { quantidade: 1, valor: -7_500 },
      { quantidade: 1, valor: -7_500 },
    ]);
    const none = await asks('/what-if/hours', { ...query, inicio: '21:00' });
    expect(none.passado).toMatchObject({ quantidade: 0, valor: 0 });
    const other = await asks('/what-if/hours', { ...query, dias: weekday(1) });
    expect(other.futuro).toMatchObject({ quantidade: 0 });
    const away = await asks('/what-if/vacation', { start_date: day(-7), end_date: day(7) });
    expect([away.passado!.quantidade, away.futuro!.quantidade]).toEqual([1, 1]);
    const past = await asks('/what-if/vacation', { start_date: day(-9), end_date: day(-8) });
    expect([past.passado!.quantidade, past.futuro]).toEqual([0, null]);
    for (const wrong of [
      { start_date: day(2), end_date: day(1) },
      { start_date: day(0), end_date: day(400) },
    ])
      await trainer.api.get('/what-if/vacation', { query: wrong, status: 400 });
  });
});
