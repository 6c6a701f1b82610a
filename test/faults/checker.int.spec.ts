import { beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, addHours } from 'date-fns';
import { startApp, type TestApp } from '../support/app.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { Checker } from './harness/checker.js';
import { History, type SentCommand } from './harness/history.js';

let database: TestDatabase;
let app: TestApp;
let own: Trainer;
let other: Trainer;
let history: History;
let checker: Checker;

async function send(trainer: Trainer, path: string, body: object): Promise<string> {
  const command = history.command(trainer, 'POST', path, body);
  const { body: answer } = await history.attempt(command, app.url);
  expect(command.outcome).toBe('acknowledged');
  return (answer as { id: string }).id;
}

async function live(trainer: Trainer): Promise<void> {
  const student_id = await send(trainer, '/students', { nome: 'Ana', telefone: '(11) 98765-4321' });
  await send(trainer, `/students/${student_id}/credits/adjust`, { quantidade: 3, motivo: 'pacote' });
  await send(trainer, `/students/${student_id}/credits/consume`, { motivo: 'aula' });
  for (const hour of [0, 2]) {
    const inicio = addHours(addDays(new Date(), 2), hour);
    const fim = addHours(inicio, 1);
    await send(trainer, '/sessions', { student_id, inicio, fim });
  }
  const entry = { tipo: 'receita', descricao: 'x', valor: 999, metodo_pagamento: 'pix', data: '2026-11-20' };
  await send(trainer, '/transactions', entry);
}

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp();
  history = new History();
  checker = new Checker(database, history);
  [own, other] = [await signUp(app), await signUp(app)];
  await live(own);
  await live(other);
  await database.query(
    'create table kept_events as table events; create table kept_lots as table credit_lots',
  );
  expect(await checker.findings()).toEqual([]);
});

/** Changes the database as only a superuser can. `$own`, `$other`: the two tenants; `$key`: the first command's key. */
async function tamper(text: string): Promise<void> {
  const statement = text
    .replaceAll('$own', `'${own.tenantId}'`)
    .replaceAll('$other', `'${other.tenantId}'`)
    .replaceAll('$key', history.commands[0]!.key);
  await database.query(
    `alter table events disable trigger user; ${statement}; alter table events enable trigger user`,
  );
}

/**
 * Damages, and the findings that they must cause. Log and guards are then restored. A check rebuilds the read tables from
 * the log, so after a damaged log one more check is needed.
 */
it.each<[name: string, harm: string, found: string[]]>([
  [
    'a balance that its entries do not add up to',
    'update read.credit_lot_balances set restante = restante + 1 where tenant_id = $own',
    ['I1 a lot is not', 'I4 credit_lot_balances'],
  ],
  [
    'an entry that the log does not have',
    'update read.credit_entries set quantidade = quantidade - 9 where tenant_id = $own',
    ['I1 a lot is not', 'I1 a lot was below zero', 'I4 credit_entries'],
  ],
  [
    'a credit that could be used twice',
    'update credit_lots set remaining = remaining + 1 where tenant_id = $own',
    ['I1 a lot is not', 'I9 .* credit_lots'],
  ],
  [
    'two sessions at one time',
    "update read.sessions set inicio = now(), fim = now() + interval '1 hour' where tenant_id = $own",
    ['I2', 'I4 sessions'],
  ],
  ['a row that is missing', 'delete from read.students where tenant_id = $own', ['I4 students']],
  [
    'a row too many',
    'insert into read.credit_notes values ($own, gen_random_uuid(), null)',
    ['I4 credit_notes'],
  ],
  [
    'an event that is gone',
    'delete from events where tenant_id = $own and position = 3',
    ['I3 .* no events', 'I5 positions have holes', 'I5 versions have holes', 'I9 .* falta o evento'],
  ],
  [
    'an effect that came twice',
    `update events set meta = jsonb_set(meta, '{request}', '"$key.1"') where tenant_id = $own and position = 4`,
    ['I3 .* 2 effects', 'I3 .* no events', 'I9'],
  ],
  [
    "an event under another tenant's name",
    'update events set tenant_id = $other, position = 99 where tenant_id = $own and position = 4',
    ['I6 a stream belongs to two tenants', 'I6 .* recorded for', 'I9'],
  ],
  [
    "a row under another tenant's name",
    'update read.students set tenant_id = $other where tenant_id = $own',
    ['I6 a row of another tenant', 'I4 students'],
  ],
  [
    'parts that do not add up',
    'update read.transactions set valor = valor + 1 where tenant_id = $own',
    ['I7', 'I4 transactions'],
  ],
  [
    'a log that no longer ends as it did',
    `update events set hash = '\\x00' where tenant_id = $own and position = 7`,
    ['I9 .* has another event at 7', 'I9 .* não confere'],
  ],
])('%s is found', async (_name, harm, found) => {
  await tamper(harm);
  const findings = await checker.findings();
  await tamper(`delete from events; insert into events select * from kept_events;
    delete from credit_lots; insert into credit_lots select * from kept_lots`);
  if (/ events /.test(harm)) await checker.findings();
  for (const start of found) expect(findings).toContainEqual(expect.stringMatching(`^${start}`));
});

it('finds nothing after everything is restored', async () => {
  expect(await checker.findings()).toEqual([]);
});

describe('the check of a history', () => {
  const after = (...all: SentCommand[]) => {
    const other = new History();
    other.commands.push(...all);
    return other;
  };
  const findings = (written: History) => new Checker(database, written).findings();

  it('finds an effect of a refused command, but accepts one of a command without an answer', async () => {
    const [first, second] = history.commands as [SentCommand, SentCommand];
    expect(
      await findings(after({ ...first, outcome: 'refused' }, { ...second, outcome: 'unknown' })),
    ).toEqual([expect.stringMatching(/^I3 .*, refused: events/)]);
  });

  it('finds a different answer to the same key', async () => {
    const again = after(history.commands[0]!);
    await again.repeat(() => [app.url]);
    expect(await findings(again)).toEqual([]);
    await database.query(
      `update idempotency_keys set answer = '{"id":"8c5a6c1e-5b0e-4d0e-9d65-2f8b0a6b8a10"}'`,
    );
    await again.repeat(() => [app.url]);
    expect(await findings(again)).toEqual([expect.stringContaining('was answered')]);
  });
});
