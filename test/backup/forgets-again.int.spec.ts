import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import type { Student } from '../../backend/modules/students/students.api.js';
import { find, textOf } from '../privacy/everywhere.js';
import { secrets, studentWithALife, sums } from '../privacy/life.js';
import { caughtUp, followed } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';

const LOG = `select position::int, stream_id, version, type, data, meta from events
  where tenant_id = $1 and position > $2 order by position`;

it('a backup that was made before a forgetting is restored without the person', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-backup-'));
  atEnd(() => rm(folder, { recursive: true }));
  const [file, list] = [path.join(folder, 'rende.backup'), path.join(folder, 'list', 'forgotten')];
  const [source, target] = [await createDatabase(), await createDatabase()];
  const app = await startApp({ database: source, env: { FORGOTTEN_FILE: list } });
  const trainer = await signUp(app);
  const { id } = await studentWithALife(trainer.api);
  await source.query(
    `insert into mails (id, tenant_id, kind, person_id, subject_id, done_at, outcome)
     values ($1, $2, 'students.reminder', $3, $1, now(), 'sent')`,
    [randomUUID(), trainer.tenantId, id],
  );
  await followed(source);
  const [last] = await source.query<{ position: number }>(
    'select max(position)::int as position from events',
  );
  const before = { sums: await sums(trainer.api, id), position: last!.position };
  expect(await runCli(source, ['backup', file])).toMatchObject({ code: 0 });

  await trainer.api.post(`/students/${id}/forget`);
  expect(await readFile(list, 'utf8')).toContain(id);
  expect(find(secrets, new Map([['list', await readFile(list, 'utf8')]]))).toEqual([]);

  const restored = await runCli(target, ['restore', file], { FORGOTTEN_FILE: list });
  expect(restored.output).toContain('Lista de dados apagados: 1 pessoa, 1 neste backup.\n');
  expect(restored.output).toContain('1 tenant íntegro.\n');
  expect(restored.code).toBe(0);
  expect(find(secrets, await textOf(target))).toEqual([]);
  expect(await target.query('select from mails')).toEqual([]);
  const log = (database: TestDatabase) => database.query(LOG, [trainer.tenantId, before.position]);
  expect(await log(target)).toEqual(await log(source));
  expect(await log(target)).toHaveLength(5);

  const again = await startApp({ database: target });
  const signedIn = await new Client(again.url).request<{ access_token: string }>(
    'POST',
    '/auth/v1/token?grant_type=password',
    { body: { email: trainer.email, password: trainer.password } },
  );
  const caller = {
    ...trainer,
    accessToken: signedIn.body.access_token,
    positions: new Map<string, number>(),
  };
  const api = new Client(again.url, caller);
  expect((await api.get<Student>(`/students/${id}`)).body).toMatchObject({
    nome: 'Aluno apagado',
    telefone: null,
    arquivado: true,
    esquecido: true,
  });
  expect(await sums(api, id)).toEqual(before.sums);
});

it('a backup that was made before an account was deleted is restored without it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-backup-'));
  atEnd(() => rm(folder, { recursive: true }));
  const [file, list] = [path.join(folder, 'rende.backup'), path.join(folder, 'forgotten')];
  const [source, target] = [await createDatabase(), await createDatabase()];
  const app = await startApp({ database: source, env: { FORGOTTEN_FILE: list } });
  const trainer = await signUp(app, { nome: 'Zoroastra Quintanilha', email: 'zoroastra@exemplo.com.br' });
  await studentWithALife(trainer.api);
  await caughtUp(source);
  expect(await runCli(source, ['backup', file])).toMatchObject({ code: 0 });

  await trainer.api.post('/account/deletion', { confirmacao: 'EXCLUIR', senha: trainer.password });
  const words = [...secrets, 'Zoroastra', 'Quintanilha'];
  expect(find(words, new Map([['list', await readFile(list, 'utf8')]]))).toEqual([]);

  const restored = await runCli(target, ['restore', file], { FORGOTTEN_FILE: list });
  expect(restored.output).toContain('Lista de dados apagados: 1 pessoa, 1 neste backup.\n');
  expect(restored.output).toContain('1 tenant íntegro.\n');
  expect(find(words, await textOf(target))).toEqual([]);
  expect(await target.query('select user_id from memberships union all select id from auth.users')).toEqual(
    [],
  );
  expect(await target.query('select tenant_id from closed_tenants')).toEqual([
    { tenant_id: trainer.tenantId },
  ]);
  const again = await startApp({ database: target, env: { FORGOTTEN_FILE: list } });
  const signedIn = await new Client(again.url).request('POST', '/auth/v1/token?grant_type=password', {
    body: { email: trainer.email, password: trainer.password },
  });
  expect(signedIn.status).toBe(400);
});
