import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { addDays, addMonths } from 'date-fns';
import { anyAddress } from '../support/addresses.js';
import { startApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signIn } from '../accounts/people.js';
import { caughtUp } from '../proof/read-tables.js';
import {
  expectHistoryToAddUp,
  expectMonthToAddUp,
  expectReceivablesToAddUp,
  expectYearToAddUp,
} from './figures.js';

/** Every how many-th student and entry of `npm run demo` is created. */
const EVERY = 6;
const NOW = new Date();
/** A day in the trainer's zone, this number of days after today. */
const day = (days: number) =>
  addDays(NOW, days).toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' });
const thisMonth = day(0).slice(0, 7);
const months = Array.from({ length: 15 }, (_, n) =>
  addMonths(new Date(`${thisMonth}-15T12:00:00Z`), n - 13)
    .toISOString()
    .slice(0, 7),
);

let api: Client;

beforeAll(async () => {
  const database = await testDatabase();
  const app = await startApp({ clock: new SetClock(NOW) });
  const env = { PATH: process.env.PATH, RENDE_URL: app.url };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['infra/demo/demo.mjs', '--every', String(EVERY)],
    { env },
  );
  const [, email, password] = /e-mail +(\S+)\s+senha +(\S+)/.exec(stdout)!;
  await caughtUp(database);
  const { data } = await signIn(app.url, { email: email!, password: password! });
  const accessToken = data.session!.access_token;
  api = new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });
});

it.each(months)('every figure of %s of the demonstration is the sum of its lines', async (month) => {
  await expectMonthToAddUp(api, month);
  await expectHistoryToAddUp(api, month);
});

it('the months of the demonstration contain payments', async () => {
  const all = await Promise.all(months.map((month) => expectMonthToAddUp(api, month)));
  // Which months have unpaid charges depends on the day and hour of the run.
  for (const figure of ['recebido', 'despesas', 'previsto'] as const)
    expect(all.reduce((sum, month) => sum + month[figure], 0)).toBeGreaterThan(0);
});

it.each([...new Set(months.map((month) => month.slice(0, 4)))])(
  'every figure of the year %s of the demonstration is the sum of its months',
  (ano) => expectYearToAddUp(api, ano),
);

it('the debts of the students of the demonstration are the sum of their open charges', async () => {
  const open = await expectReceivablesToAddUp(api, [
    ['a_vencer', day(1), '9'],
    ['hoje', day(0), day(0)],
    ['ate_7', day(-7), day(-1)],
    ['ate_30', day(-30), day(-8)],
    ['mais', '', day(-31)],
  ]);
  expect(open).toBeGreaterThan(0);
});
