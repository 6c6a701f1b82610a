import { expect, it } from '@jest/globals';
import type { Student } from '../../backend/modules/students/students.api.js';
import { runCli } from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { describeWithRedis } from '../support/needs.js';
import { signUp } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { redis } from '../support/redis.js';
import { caughtUp, rebuildOf, snapshot } from '../proof/read-tables.js';
import { find, textOf, textOfRedis } from './everywhere.js';
import { secrets, studentWithALife, sums } from './life.js';

async function prove(redisUrl?: string): Promise<void> {
  const database = await createDatabase();
  const app = await startProcess({ database, redisUrl, env: { LOG_LEVEL: 'trace' } });
  const { api } = await signUp(app);
  const student = await studentWithALife(api);
  const places = async () =>
    new Map([
      ...(await textOf(database)),
      ...(redisUrl ? await textOfRedis(redisUrl) : []),
      ['log', app.output()],
    ]);
  const rebuilding = rebuildOf(database);
  const rebuildAll = async () => {
    for (const name of rebuilding.names) await rebuilding.run(name);
  };
  await caughtUp(database);
  // Of tables that a rebuild made, the planner keeps no more samples than of the first ones.
  await rebuildAll();
  expect(find(secrets, await places())).toEqual([
    'read.credit_notes',
    'read.history',
    'read.sessions',
    'read.students',
  ]);
  const before = await sums(api, student.id);

  await api.request('POST', '/api/v1/students', { body: { nome: secrets[0], telefone: secrets[2] } });
  await api.post(`/students/${student.id}/forget`);
  await api.request('PATCH', `/api/v1/students/${student.id}`, { body: { nome: secrets[0] } });
  await caughtUp(database);

  expect(find(secrets, await places())).toEqual([]);
  expect(await sums(api, student.id)).toEqual(before);
  expect((await api.get<Student>(`/students/${student.id}`)).body).toMatchObject({
    nome: 'Aluno esquecido',
    telefone: null,
    whatsapp: null,
    email: null,
    observacoes: null,
    arquivado: true,
    esquecido: true,
  });
  expect(await runCli(database, ['audit:verify'])).toEqual({ code: 0, output: '1 tenants íntegros.\n' });

  const live = await snapshot(database);
  await rebuildAll();
  expect(await snapshot(database)).toEqual(live);
  expect(find(secrets, await places())).toEqual([]);
}

it('a forgotten student is in no table, sample, job, stored answer or log, and the sums stay', () => prove());

describeWithRedis('On Redis', () => {
  it('a forgotten student is in no table, sample, key, stored answer or log, and the sums stay', async () => {
    const { url } = await redis();
    await prove(url);
  });
});
