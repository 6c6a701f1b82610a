import { beforeEach, expect, it } from '@jest/globals';
import { addDays } from 'date-fns';
import type { MonthChanges, MonthSummary } from '../../backend/modules/finance/finance.api.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { SetClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date());
const app = await sharedApp(clock);
let trainer: Trainer;

beforeEach(async () => {
  clock.at = new Date('2026-11-20T15:00:00Z');
  trainer = await signUp(app);
});

const entry = { tipo: 'receita', descricao: 'Aula', metodo_pagamento: 'pix', data: '2026-10-05' };
const record = async (fields: object) =>
  (await trainer.api.post('/transactions', { ...entry, valor: 30_000, ...fields })).body.id;
const delivery = async (month = '2026-10') =>
  (await trainer.api.get<MonthSummary>(`/finance/months/${month}`)).body.entrega;
const deliver = (month = '2026-10') => trainer.api.put(`/finance/months/${month}/delivery`, undefined);
const takeBack = (status?: number) =>
  trainer.api.request<ProblemBody>('DELETE', '/api/v1/finance/months/2026-10/delivery', { status });
const notices = async () =>
  (await trainer.api.get<NotificationPage>('/notifications')).body.items.map(({ titulo, endereco }) => [
    titulo,
    endereco,
  ]);

it('a delivered month says what was recorded, corrected and reversed in it since', async () => {
  const [one, other] = [await record({}), await record({})];
  expect(await delivery()).toBeNull();
  await deliver();
  const delivered = await delivery();
  expect(delivered).toMatchObject({ mudancas: 0, valor: 0 });

  await record({ data: '2026-11-05' });
  expect(await delivery()).toEqual(delivered);
  await trainer.api.post(`/transactions/${one}/reverse`, { motivo: 'devolvido' });
  expect(await delivery()).toEqual({ ...delivered, mudancas: 1, valor: -30_000 });
  const corrected = { ...entry, valor: 25_000, motivo: 'desconto' };
  await trainer.api.post(`/transactions/${other}/correct`, corrected);
  await record({ tipo: 'despesa', valor: 1_000 });
  expect(await delivery()).toEqual({ ...delivered, mudancas: 3, valor: -36_000 });

  // The changes since are those that the list of changes has.
  clock.at = addDays(new Date(), 1);
  const { body } = await trainer.api.get<MonthChanges>('/finance/months/2026-10/changes', {
    query: { at: delivered!.em },
  });
  const sum = body.items.reduce(
    (total, { figura, valor }) => total + (figura === 'despesas' ? -valor : valor),
    0,
  );
  expect(sum).toBe(-36_000);
});

it('can be delivered again and taken back, one delivery after the other', async () => {
  await deliver();
  const first = await delivery();
  await record({});
  await deliver();
  expect(await delivery()).toMatchObject({ mudancas: 0 });
  await expectRebuildToEqualLive(app, 'delivered-months');
  await takeBack();
  expect(await delivery()).toEqual({ ...first, mudancas: 1, valor: 30_000 });
  await takeBack();
  expect(await delivery()).toBeNull();
  expect((await takeBack(409)).body.code).toBe('finance.month_not_delivered');
  const { body } = await trainer.api.get<HistoryPage>('/history', {
    query: { subject: `month:${first!.id}` },
  });
  expect(body.items.map(({ texto }) => texto).filter((texto) => !texto.startsWith('Mudou'))).toEqual([
    'Desfez a entrega de 10/2026 ao contador',
    'Desfez a entrega de 10/2026 ao contador',
    'Marcou 10/2026 como entregue ao contador',
    'Marcou 10/2026 como entregue ao contador',
  ]);
});

it('is refused for a month that has not begun', async () => {
  const { body } = await trainer.api.request<ProblemBody>('PUT', '/api/v1/finance/months/2026-12/delivery', {
    status: 422,
  });
  expect(body.code).toBe('finance.month_to_come');
});

it('the bell tells of the first change after a delivery once, and no longer where the delivery is taken back', async () => {
  await record({});
  await deliver();
  await record({});
  const told = [['O mês de outubro mudou depois da entrega', '/financeiro?mes=2026-10']];
  await eventually(notices, told);
  await record({});
  // Reactions follow events in order: once they have followed these, they have followed those before.
  await deliver('2026-09');
  await record({ data: '2026-09-05' });
  const also = ['O mês de setembro mudou depois da entrega', '/financeiro?mes=2026-09'];
  await eventually(notices, [also, ...told]);
  const { body } = await trainer.api.get<HistoryPage>('/history', {
    query: { subject: `month:${(await delivery())!.id}` },
  });
  expect(body.items.map(({ texto }) => texto)).toEqual([
    'Mudou 10/2026, que já estava entregue ao contador',
    'Marcou 10/2026 como entregue ao contador',
  ]);
  await takeBack();
  await eventually(notices, [also]);
});
