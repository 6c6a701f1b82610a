import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Student } from '../../backend/modules/students/students.api.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { FolderPost } from '../../backend/platform/mail/folder-post.js';
import { runCli } from '../support/cli.js';
import { createDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { mailFolder } from '../support/mail.js';
import { describeWithRedis } from '../support/needs.js';
import { signUp } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { redis } from '../support/redis.js';
import { followed, rebuild, snapshot } from '../proof/read-tables.js';
import { find, neverSaid, textOf, textOfMails, textOfRedis } from './everywhere.js';
import {
  bookingOfTheirs,
  contractsWithALife,
  mergedWithALife,
  payerWithALife,
  receiptWithALife,
  requestWithALife,
  secrets,
  studentWithALife,
  sums,
} from './life.js';

async function prove(redisUrl?: string): Promise<void> {
  const database = await createDatabase();
  const app = await startProcess({ database, redisUrl, env: { LOG_LEVEL: 'trace' } });
  const { api, tenantId } = await signUp(app);
  const student = await studentWithALife(api);
  await contractsWithALife(api, student.id);
  await receiptWithALife(api, student.id);
  await requestWithALife(app, api, student);
  await bookingOfTheirs(api, student.id);
  await mergedWithALife(api, student.id);
  const payerId = await payerWithALife(api, student.id);
  // A sent mail to the student: a row without text, and files with it.
  const mailId = randomUUID();
  await database.query(
    `insert into mails (id, tenant_id, kind, person_id, subject_id, done_at, outcome)
     values ($1, $2, 'test', $3, $1, now(), 'sent')`,
    [mailId, tenantId, student.id],
  );
  const letter = { to: 'wandreia.x@example.org', subject: 'Sua sessão', paragraphs: ['Olá, Wandréia!'] };
  await new FolderPost(readConfig(environmentFor(database))).send(mailId, letter);
  const places = async () =>
    new Map([
      ...(await textOf(database)),
      ...(redisUrl ? await textOfRedis(redisUrl) : []),
      ...(await textOfMails(mailFolder())),
      ['log', app.output()],
    ]);
  // Mails that are still being sent would leave their file behind, so wait for them.
  await followed(database);
  expect(await neverSaid(database)).toEqual([]);
  await rebuild(database);
  expect(find(secrets, await places())).toEqual([
    'mail files',
    'read.charges',
    'read.credit_notes',
    'read.history',
    'read.payers',
    'read.receipts',
    'read.session_requests',
    'read.sessions',
    'read.signature_requests',
    'read.student_notes',
    'read.students',
    'read.told_contacts',
    'read.visits',
    'read.waitlist',
    'read.whatsapp_answers',
  ]);
  const before = await sums(api, student.id);

  await api.request('POST', '/api/v1/students', { body: { nome: secrets[0], telefone: secrets[2] } });
  await api.post(`/students/${student.id}/forget`);
  await api.post(`/payers/${payerId}/forget`);
  await api.request('PATCH', `/api/v1/students/${student.id}`, { body: { nome: secrets[0] } });
  await followed(database);

  expect(find(secrets, await places())).toEqual([]);
  expect(await database.query('select from mails')).toEqual([]);
  expect(await sums(api, student.id)).toEqual(before);
  expect((await api.get<Student>(`/students/${student.id}`)).body).toMatchObject({
    nome: 'Aluno apagado',
    telefone: null,
    whatsapp: null,
    email: null,
    observacoes: null,
    arquivado: true,
    esquecido: true,
  });
  expect(await runCli(database, ['audit:verify'])).toEqual({ code: 0, output: '1 tenant íntegro.\n' });

  const live = await snapshot(database);
  await rebuild(database);
  expect(await snapshot(database)).toEqual(live);
  expect(find(secrets, await places())).toEqual([]);
}

it('data of a forgotten student is in no table, sample, job, stored answer, mail or log, and sums are unchanged', () =>
  prove());

describeWithRedis('On Redis', () => {
  it('data of a forgotten student is in no table, sample, key, stored answer, mail or log, and sums are unchanged', async () => {
    const { url } = await redis();
    await prove(url);
  });
});
