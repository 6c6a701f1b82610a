import { createHash, createPublicKey, verify } from 'node:crypto';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addDays } from 'date-fns';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Integrity } from '../../backend/modules/seals/seals.api.js';
import { IntegrityChecks, integrityChecksDue } from '../../backend/modules/seals/integrity-checks.service.js';
import { SealFiles } from '../../backend/modules/seals/seal-files.service.js';
import { SealsJob, sealsDue } from '../../backend/modules/seals/seals.job.js';
import { Database } from '../../backend/platform/database/database.js';
import { startApp, type TestApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { SetClock } from '../support/clock.js';
import { type TestDatabase, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { mailFolder } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { timeStampServer } from '../support/time-stamp-server.js';

const folder = path.join(mailFolder(), 'seals');
const clock = new SetClock(new Date());
let database: TestDatabase;
let stamps: Awaited<ReturnType<typeof timeStampServer>>;
let app: TestApp;

beforeAll(async () => {
  database = await testDatabase();
  stamps = await timeStampServer(new Date());
  const env = { TIMESTAMP_URL: stamps.url };
  app = await startApp({ database, clock, byHand: [sealsDue, integrityChecksDue], env });
  app.nest.get(SealsJob).mostAheadMs = Infinity;
});

const seals = async () => (await readdir(folder)).filter((name) => name.endsWith('.seal')).sort();
const run = () => app.nest.get(SealsJob).run();

/** A day passes, and is sealed. Returns the file. */
async function sealOneMoreDay(): Promise<string> {
  clock.at = addDays(clock.at, 1);
  await run();
  return path.join(folder, (await seals()).at(-1)!);
}

const isWritten = ({ name }: { name: string }) => ({ nome: name, telefone: '(11) 98765-4321' });

/** A trainer with some students, whose log is sealed. */
async function sealedTrainer(): Promise<Trainer> {
  const trainer = await signUp(app);
  for (const name of ['Ana', 'Bia', 'Caio']) await trainer.api.post('/students', isWritten({ name }));
  await sealOneMoreDay();
  return trainer;
}

/** Asks for a check and waits for its result. */
async function resultOf({ api }: Trainer) {
  const { body } = await api.post('/integrity/checks');
  const check = async () =>
    (await api.get<Integrity>('/integrity')).body.verificacoes.find(({ id }) => id === body.id);
  await eventually(async () => (await check())?.concluida_em !== null, true);
  return (await check())!.resultado!;
}

/** Changes the log as only a superuser can. */
async function tamper(text: string, ...values: unknown[]): Promise<void> {
  await database.query('alter table events disable trigger user');
  await database.query(text, values);
  await database.query('alter table events enable trigger user');
}

/** What whoever has every right in the database does to hide it: the chain and the head of the log are computed anew. */
const REWRITE = `with recursive chain as (
    select position, event_hash(genesis_hash(tenant_id), position, stream_id, version, type, schema_version, data, meta, recorded_at) as hash
    from events where tenant_id = $1 and position = 1
    union all
    select e.position, event_hash(c.hash, e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.recorded_at)
    from chain c join events e on e.tenant_id = $1 and e.position = c.position + 1
  ), written as (
    update events e set hash = c.hash from chain c where e.tenant_id = $1 and e.position = c.position returning e.position, e.hash
  )
  update tenant_log set (position, head_hash) = (select position, hash from written order by position desc limit 1) where tenant_id = $1`;

/** What a worker does, unless somebody holds the check. */
const END_WAITING = `update integrity_checks set done_at = now() where id in (
  select id from integrity_checks where tenant_id = $1 and done_at is null for update skip locked)`;

const LAST = '(select max(position) from events where tenant_id = $1)';

describe('the daily seal', () => {
  it('is signed, holds the head of each log, and its record the hash of the one before', async () => {
    const trainer = await sealedTrainer();
    const before = await readFile(await sealOneMoreDay(), 'utf8');
    const [text, signature, ...leaves] = (await readFile(await sealOneMoreDay(), 'utf8'))
      .trimEnd()
      .split('\n');
    const { comprovante } = await resultOf(trainer);
    const key = createPublicKey({
      key: Buffer.from(comprovante!.chave_publica, 'base64'),
      format: 'der',
      type: 'spki',
    });
    expect(verify(null, Buffer.from(text!), key, Buffer.from(signature!, 'base64'))).toBe(true);
    const [log] = await database.query<{ leaf: string }>(
      `select concat_ws(' ', tenant_id, position, encode(head_hash, 'hex')) as leaf from tenant_log where tenant_id = $1`,
      [trainer.tenantId],
    );
    expect(leaves).toContain(log!.leaf);
    const previous = createHash('sha256').update(before.split('\n')[0]!).digest('hex');
    expect(JSON.parse(text!)).toMatchObject({ previous, tenants: leaves.length });
  });

  it('can be verified for one tenant alone, by the way from its leaf to the root', async () => {
    const [trainer] = [await sealedTrainer(), await sealedTrainer(), await sealedTrainer()];
    const { comprovante } = await resultOf(trainer);
    const sha256 = (...parts: (string | Buffer)[]) =>
      parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
    const root = comprovante!.caminho.reduce(
      (hash, { side, hash: other }) => {
        const sibling = Buffer.from(other, 'hex');
        return side === 'left' ? sha256('\x01', sibling, hash) : sha256('\x01', hash, sibling);
      },
      sha256('\0', comprovante!.folha),
    );
    expect(JSON.parse(comprovante!.registro)).toMatchObject({ root: root.toString('hex') });
    expect(comprovante!.folha).toContain(trainer.tenantId);
  });

  it('is made for each missed day, once, and by one of two workers', async () => {
    await sealOneMoreDay();
    const before = await seals();
    const newest = await readFile(path.join(folder, before.at(-1)!));
    clock.at = addDays(clock.at, 3);
    await Promise.all([run(), run()]);
    await app.nest.get(SealFiles).write(before.at(-1)!.slice(0, 10), clock.at, null, []);
    expect(await seals()).toHaveLength(before.length + 3);
    expect(await readFile(path.join(folder, before.at(-1)!))).toEqual(newest);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('is not made by a worker whose clock is ahead of the database', async () => {
    const before = await seals();
    app.nest.get(SealsJob).mostAheadMs = 3_600_000;
    clock.at = addDays(clock.at, 1);
    await expect(run()).rejects.toThrow("ahead of the database's");
    app.nest.get(SealsJob).mostAheadMs = Infinity;
    expect(await seals()).toEqual(before);
  });

  it('goes on after a file that somebody else put there', async () => {
    const trainer = await sealedTrainer();
    const file = path.join(folder, '2099-01-01.seal');
    const copy = await readFile(path.join(folder, (await seals()).at(-1)!));
    await writeFile(file, copy);
    await sealOneMoreDay();
    expect(await resultOf(trainer)).toMatchObject({
      situacao: 'alterado',
      achados: ['O lacre de 01/01/2099 foi alterado: a assinatura não confere.'],
    });
    await rm(file);
  });

  it('gets its time stamp later if the server of time stamps failed', async () => {
    stamps.flaws = { status: 500 };
    const trainer = await sealedTrainer();
    const days = (await seals()).length;
    expect((await resultOf(trainer)).lacres.carimbados).toBe(days - 1);
    stamps.flaws = {};
    await run();
    const result = await resultOf(trainer);
    expect(result).toMatchObject({ situacao: 'integro', lacres: { carimbados: days } });
  });
});

describe('a check', () => {
  it('finds a time stamp that is none', async () => {
    const trainer = await sealedTrainer();
    const file = (await sealOneMoreDay()).replace(/seal$/, 'tst');
    const stamp = await readFile(file);
    await chmod(file, 0o600);
    await writeFile(file, 'nada');
    expect((await resultOf(trainer)).achados).toEqual([
      expect.stringMatching(/tem um carimbo do tempo que não é dele\.$/),
    ]);
    await writeFile(file, stamp);
  });

  it('finds a log intact, and says what was verified', async () => {
    const trainer = await sealedTrainer();
    const days = await seals();
    expect(await resultOf(trainer)).toMatchObject({
      situacao: 'integro',
      achados: [],
      lacres: { conferidos: days.length, ultimo: days.at(-1)!.slice(0, 10) },
    });
    const { body } = await trainer.api.get<Integrity>('/integrity');
    expect(body.lacre?.dia).toBe(days.at(-1)!.slice(0, 10));
    expect((await runCli(database, ['seals:verify'])).code).toBe(0);
  });

  it('finds a changed event', async () => {
    const trainer = await sealedTrainer();
    await tamper(
      `update events set data = data || '{"x": 1}' where tenant_id = $1 and position = 2`,
      trainer.tenantId,
    );
    expect(await resultOf(trainer)).toMatchObject({
      situacao: 'alterado',
      achados: ['Registro 2: o evento não confere com o seu hash.'],
    });
  });

  it('finds a removed event', async () => {
    const trainer = await sealedTrainer();
    await tamper('delete from events where tenant_id = $1 and position = 3', trainer.tenantId);
    expect((await resultOf(trainer)).achados).toContain('Registro 4: falta o evento da posição 3.');
  });

  it('finds that the newest events were cut off, although the rest of the log agrees', async () => {
    const trainer = await sealedTrainer();
    const [{ last }] = (await database.query<{ last: number }>(
      'select max(position)::int as last from events where tenant_id = $1',
      [trainer.tenantId],
    )) as [{ last: number }];
    await tamper(`delete from events where tenant_id = $1 and position = ${LAST}`, trainer.tenantId);
    await tamper(REWRITE, trainer.tenantId);
    expect(await resultOf(trainer)).toMatchObject({
      situacao: 'alterado',
      achados: [
        expect.stringMatching(
          new RegExp(
            `^O lacre de .* vai até o registro ${last}, e o histórico só até o ${last - 1}: os mais novos foram apagados.$`,
          ),
        ),
      ],
    });
    const { code, output } = await runCli(database, ['seals:verify']);
    expect([code, output.includes(trainer.tenantId)]).toEqual([1, true]);
  });

  it('finds that the log was written anew with hashes that agree', async () => {
    const trainer = await sealedTrainer();
    await tamper(
      `update events set data = data || '{"x": 1}' where tenant_id = $1 and position = 2`,
      trainer.tenantId,
    );
    await tamper(REWRITE, trainer.tenantId);
    expect(await resultOf(trainer)).toMatchObject({
      situacao: 'alterado',
      achados: [expect.stringMatching(/não é o que o lacre de .* guardou: o histórico foi reescrito\.$/)],
    });
  });

  it('says where the database was restored from a backup that is older than a seal', async () => {
    const trainer = await sealedTrainer();
    await tamper(`delete from events where tenant_id = $1 and position = ${LAST}`, trainer.tenantId);
    await tamper(REWRITE, trainer.tenantId);
    await database.query(
      `insert into restores (backup, backup_of, started_at, finished_at) values ('ab', $1, $2, $2)`,
      [addDays(clock.at, -2), addDays(clock.at, 1)],
    );
    expect(await resultOf(trainer)).toMatchObject({
      situacao: 'restaurado',
      achados: [expect.stringMatching(/O banco foi restaurado de um backup anterior/)],
    });
    await database.query('delete from restores');
  });

  it.each([
    [
      'the list of a seal',
      (text: string) => text.replace(/ \d+ /, ' 1 '),
      'a lista não é a que foi assinada',
    ],
    ['its record', (text: string) => text.replace('"tenants":', '"tenants":1'), 'a assinatura não confere'],
  ])('finds %s changed', async (_what, change, message) => {
    const trainer = await sealedTrainer();
    const file = path.join(folder, (await seals()).at(-1)!);
    const text = await readFile(file, 'utf8');
    await chmod(file, 0o600);
    await writeFile(file, change(text));
    expect((await resultOf(trainer)).achados).toContainEqual(expect.stringContaining(message));
    await writeFile(file, text);
  });

  it('says which seals are missing', async () => {
    const trainer = await sealedTrainer();
    const file = path.join(folder, (await seals()).at(-1)!);
    const text = await readFile(file, 'utf8');
    await rm(file);
    expect(await resultOf(trainer)).toMatchObject({
      situacao: 'faltam_lacres',
      achados: [expect.stringMatching(/^1 arquivo de lacre não foi encontrado, o primeiro de/)],
    });
    await writeFile(file, text);
  });

  it('finds that a seal was removed together with its row, or is not the one that was made', async () => {
    const trainer = await sealedTrainer();
    const file = await sealOneMoreDay();
    await sealOneMoreDay();
    const text = await readFile(file, 'utf8');
    const day = path.basename(file, '.seal');
    const [row] = await database.query<{ record_hash: Buffer; made_at: Date }>(
      'delete from seals where day = $1 returning record_hash, made_at',
      [day],
    );
    await rm(file);
    expect((await resultOf(trainer)).achados).toEqual([expect.stringMatching(/não continua o anterior\.$/)]);
    await writeFile(file, text);
    await database.query('insert into seals values ($1, $2, $3)', [day, Buffer.alloc(32), row!.made_at]);
    expect((await resultOf(trainer)).achados).toEqual([
      expect.stringMatching(/não é o que foi feito naquele dia\.$/),
    ]);
    await database.query('update seals set record_hash = $2 where day = $1', [day, row!.record_hash]);
  });

  it('is asked for six times an hour', async () => {
    const { api } = await sealedTrainer();
    for (let n = 0; n < 6; n += 1) await api.post('/integrity/checks');
    await api.post('/integrity/checks', undefined, { status: 429 });
  });

  it('is asked for anew where the one that waits ends meanwhile', async () => {
    const { tenantId } = await sealedTrainer();
    await database.query('insert into integrity_checks (tenant_id, id) values ($1, gen_random_uuid())', [
      tenantId,
    ]);
    const transact = jest.spyOn(app.nest.get(Database), 'transact');
    transact.mockImplementationOnce((work) => {
      transact.mockRestore();
      return app.nest.get(Database).transact((query) =>
        work(async (text, values) => {
          const rows = await query(text, values);
          if (text.startsWith('insert')) await database.query(END_WAITING, [tenantId]);
          return rows as never;
        }),
      );
    });
    expect(await app.nest.get(IntegrityChecks).request(tenantId)).toEqual(expect.any(String));
  });

  it('is done by the sweep if its job was lost', async () => {
    const trainer = await sealedTrainer();
    await database.query('insert into integrity_checks (tenant_id, id) values ($1, gen_random_uuid())', [
      trainer.tenantId,
    ]);
    await app.nest.get(IntegrityChecks).run();
    expect((await trainer.api.get<Integrity>('/integrity')).body.verificacoes).toMatchObject([
      { resultado: { situacao: 'integro' } },
    ]);
  });
});
