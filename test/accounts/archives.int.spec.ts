import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { subDays } from 'date-fns';
import { AppModule } from '../../backend/app.module.js';
import { providerConnection } from '../../backend/modules/charges/provider-connection.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import { type Leaf, SealFiles } from '../../backend/modules/seals/seal-files.service.js';
import type { Integrity } from '../../backend/modules/seals/seals.api.js';
import { sealsDue } from '../../backend/modules/seals/seals.job.js';
import type { WhatsAppShown } from '../../backend/modules/whatsapp/whatsapp.api.js';
import {
  CARRIED,
  type EventLine,
  FORMAT,
  FORMAT_VERSION,
  LEFT,
  type Line,
  LineWriter,
} from '../../backend/platform/backup/tenant-archive.js';
import type { Config } from '../../backend/platform/config/env.js';
import { publicKeyOf } from '../../backend/platform/event-store/master-key.js';
import { nobodyOf } from '../../backend/platform/event-store/context.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { featuresOf } from '../../backend/platform/features.js';
import { LinkTokens } from '../../backend/platform/link-tokens.js';
import { contractsWithALife, receiptWithALife, secrets, studentWithALife } from '../privacy/life.js';
import { liveADay } from '../proof/day.js';
import { followed } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import type { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { eventFixture } from '../support/event-fixtures.js';
import { mailFolder } from '../support/mail.js';
import { textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { ARCHIVE, copyFrom, partOf, saidByArchive, saidByFiles } from './archived.js';
import { speaker } from './own-data.js';
import { signIn } from './people.js';

let file: string;
/** The archive of before a student was forgotten. */
let formerFile: string;
let source: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let copy: Map<string, string>;

/** Records a provider directly, because none answers here. */
async function connectProvider(): Promise<void> {
  const data = eventFixture('PixProviderConnected', 1) as never;
  const context = nobodyOf(trainer.tenantId, 'America/Sao_Paulo', 'test');
  class Connect {
    readonly context = context;
  }
  await app.nest.get(EventStore).transact(new Connect(), (tx) => {
    tx.append(providerConnection, trainer.tenantId, [
      { type: 'PixProviderConnected', data },
      { type: 'PixProviderDisconnected', data: eventFixture('PixProviderDisconnected', 1) as never },
    ]);
    return {};
  });
}

beforeAll(async () => {
  source = await createDatabase();
  // No day is sealed beside the one that a test seals.
  app = await startApp({ database: source, byHand: [sealsDue] });
  trainer = await signUp(app, { nome: 'Carla Dias' });
  const { api } = trainer;
  await liveADay(api);
  const { id } = await studentWithALife(api);
  await contractsWithALife(api, id);
  await receiptWithALife(api, id);
  await connectProvider();
  await followed(source);
  const former = partOf(await copyFrom(app, trainer), ARCHIVE);
  expect(former).toContain('Wandréia Xistovski');
  await api.post(`/students/${id}/forget`);
  await followed(source);
  copy = await copyFrom(app, trainer);
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-archive-'));
  atEnd(() => rm(folder, { recursive: true }));
  file = path.join(folder, ARCHIVE);
  await writeFile(file, partOf(copy, ARCHIVE));
  formerFile = path.join(folder, `antes-${ARCHIVE}`);
  await writeFile(formerFile, former);
});

it('names every table of a tenant: it is carried, or left for a reason, or follows from the events', async () => {
  const rows = await source.query<{ name: string }>(
    `select c.relname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attname = 'tenant_id' and c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const guards = featuresOf(AppModule).all.guards.flatMap(({ tables }) => tables);
  const named = [...guards, ...Object.keys(CARRIED), ...Object.keys(LEFT)];
  expect(rows.map(({ name }) => name).sort()).toEqual([...new Set(named)].sort());
});

it('has nothing of a student who was forgotten, but what the law makes the trainer keep, and no key to a bank', () => {
  const text = partOf(copy, ARCHIVE);
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).toContain('Pessoa Assinante');
  const line = text.split('\n').find((each) => each.includes('"type":"PixProviderConnected"'))!;
  expect(JSON.parse(line)).toMatchObject({ data: { client_id: 'cliente-1', client_secret: null } });
});

describe('an import into a database without the trainer', () => {
  let target: TestDatabase;
  let there: TestApp;
  let api: Client;
  let accessToken: string;

  beforeAll(async () => {
    target = await createDatabase();
    // Its worker runs while the trainer is imported.
    there = await startApp({ database: target });
    expect(await runCli(target, ['archive:import', file])).toEqual({
      code: 0,
      output: expect.stringMatching(
        /^Importado: \d+ registros e 1 contrato assinado\.\nLista de dados apagados: 1 pessoa deste negócio\.\nO personal entra com \S+@example\.com: em "Esqueci minha senha" ele escolhe a nova\.\n$/,
      ),
    });
    await followed(target);
    expect(await target.query('select kind from mails')).toEqual([]);
    const [{ hash }] = (await source.query('select password_hash as hash from auth.users where id = $1', [
      trainer.userId,
    ])) as [{ hash: string }];
    await target.query('update auth.users set password_hash = $1', [hash]);
    const { data } = await signIn(there.url, trainer);
    accessToken = data.session!.access_token;
    api = speaker(there, accessToken);
  });

  it('gives the same copy of the business, to the byte, and the same archive', async () => {
    const after = await copyFrom(there, trainer);
    expect(saidByFiles(after)).toEqual(saidByFiles(copy));
    expect(saidByArchive(partOf(after, ARCHIVE))).toEqual(saidByArchive(partOf(copy, ARCHIVE)));
  });

  it('gives the same month, its files for the accountant, receipts with their codes, and signed contracts', async () => {
    const [receipt] = JSON.parse(partOf(copy, 'recibos.json')) as [{ transaction_id: string; data: string }];
    const month = receipt.data.slice(0, 7);
    const shown = `/transactions/${receipt.transaction_id}/receipt`;
    for (const route of [`/finance/months/${month}`, '/receivables', '/students', '/contracts', shown]) {
      const there = JSON.stringify((await api.get(route)).body);
      expect([route, there]).toEqual([route, JSON.stringify((await trainer.api.get(route)).body)]);
    }
    const read = async (origin: string, token: string, route: string) => {
      const answer = await fetch(`${origin}${route}`, { headers: { authorization: `Bearer ${token}` } });
      expect([route, answer.status]).toEqual([route, 200]);
      return Buffer.from(await answer.arrayBuffer());
    };
    const { recibo } = (await api.get<ShownReceipt>(shown)).body;
    const files = [`/api/v1/finance/months/${month}/carne-leao`, `/api/v1/finance/months/${month}/report`];
    for (const route of [...files, new URL(recibo!.link).pathname]) {
      const [one, other] = [
        await read(app.url, trainer.accessToken, route),
        await read(there.url, accessToken, route),
      ];
      const isPdf = one.subarray(0, 4).toString() === '%PDF';
      expect([route, isPdf ? textOf(other) : other]).toEqual([route, isPdf ? textOf(one) : one]);
    }
    expect((await fetch(`${there.url}/verificar/${recibo!.lacre}`)).status).toBe(200);
  });

  it('says that the number of WhatsApp must be connected anew, because its keys stay', async () => {
    const failure = async () => (await api.get<WhatsAppShown>('/settings/whatsapp')).body.conexao?.falha;
    await eventually(failure, 'as chaves não vêm com o arquivo importado; conecte o número de novo');
  });

  it('has a whole log with its guards, on which the business goes on', async () => {
    expect(await runCli(target, ['audit:verify'])).toEqual({ code: 0, output: '1 tenant íntegro.\n' });
    const { id } = (await api.post('/students', { nome: 'Nova Aluna', telefone: '11943214321' })).body;
    expect((await api.get<{ nome: string }>(`/students/${id}`)).body.nome).toBe('Nova Aluna');
    expect(await runCli(target, ['audit:verify'])).toMatchObject({ code: 0 });
  });

  it('stands by the seals that were made where it comes from', async () => {
    const [leaf] = await source.query<Leaf>(
      `select tenant_id as "tenantId", position, encode(head_hash, 'hex') as head from tenant_log`,
    );
    await app.nest.get(SealFiles).write(dayOf(subDays(new Date(), 1)), new Date(), null, [leaf!]);
    const { id } = (await api.post('/integrity/checks')).body;
    const result = async () =>
      (await api.get<Integrity>('/integrity')).body.verificacoes.find((each) => each.id === id)?.resultado;
    await eventually(async () => (await result())?.situacao, 'integro');
    expect(await result()).toMatchObject({
      lacres: { conferidos: 1 },
      comprovante: { folha: expect.stringContaining(leaf!.head) },
    });
  });

  it('is refused a second time', async () => {
    const again = () => runCli(target, ['archive:import', file]);
    expect(await again()).toEqual({ code: 1, output: 'Este negócio já está neste Rende.\n' });
  });
});

describe('an archive of another Rende', () => {
  const key = generateKeyPairSync('ed25519').privateKey;
  const instant = '2026-01-01T00:00:00.000000Z';
  const [user, tenant] = [randomUUID(), randomUUID()];
  const event = (more: Partial<EventLine>): Line => ({
    kind: 'event',
    position: 1,
    stream_id: `plan:${user}`,
    version: 1,
    type: 'PlanCreated',
    schema_version: 2,
    recorded_at: instant,
    data: {},
    hash: '00',
    meta: { actor: user, device: null, request: 'r', command: 'CreatePlan' },
    ...more,
  });
  const member = (user_id: string, created_at: string): Line => ({
    kind: 'row',
    table: 'memberships',
    row: { user_id, role: 'personal', created_at },
  });

  it.each<[string, Line, string]>([
    [
      'with a record in a newer shape',
      event({ schema_version: 99 }),
      'O registro 1 é de uma versão mais nova',
    ],
    [
      'with a record of a newer kind',
      event({ type: 'PlanDreamt' }),
      'O registro 1 é de uma versão mais nova',
    ],
    ['with a value that cannot be stored', member(user, 'never'), 'O arquivo tem um valor que não serve'],
    [
      'with a member who is not its trainer',
      member(randomUUID(), instant),
      'linha da tabela memberships de outra conta',
    ],
    ['with fewer records than it announces', event({}), 'O arquivo tem 1 registro, e deveria ter 2.'],
  ])('%s is refused', async (_what, line, why) => {
    const writer = new LineWriter(key);
    const lines: Line[] = [
      {
        kind: 'header',
        format: FORMAT,
        version: FORMAT_VERSION,
        made_at: instant,
        tenant_id: tenant,
        events: 2,
        head: '00',
        students_with_account: 0,
        public_key: publicKeyOf(key),
      },
      {
        kind: 'account',
        user: { id: user, email: 'x@example.com', name: 'X', created_at: instant },
        profile: null,
        sessions: [],
      },
      {
        kind: 'row',
        table: 'tenants',
        row: { slug: 'x-y', timezone: 'America/Sao_Paulo', currency: 'BRL', created_at: instant },
      },
      line,
    ];
    const other = path.join(path.dirname(file), 'other.jsonl');
    await writeFile(other, lines.map((each) => writer.line(each)).join('') + writer.end());
    const { code, output } = await runCli(source, ['archive:import', other, '--key', publicKeyOf(key)]);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(why) });
    expect(await source.query('select from tenants where tenant_id = $1', [tenant])).toEqual([]);
  });
});

it('an import does not bring back who was forgotten after the archive was made', async () => {
  const target = await createDatabase();
  expect(await runCli(target, ['archive:import', formerFile])).toEqual({
    code: 0,
    output: expect.stringContaining('Lista de dados apagados: 1 pessoa deste negócio.'),
  });
  const names = await target.query<{ nome: string | null }>('select nome from read.students');
  expect(names.length).toBeGreaterThan(1);
  for (const { nome } of names) expect(secrets).not.toContain(nome?.split(' ')[0]);
  expect(await runCli(target, ['audit:verify'])).toMatchObject({ code: 0 });
});

it('an account that was deleted in this Rende does not come back', async () => {
  const list = path.join(mailFolder(), 'deleted');
  await writeFile(list, `${JSON.stringify({ at: '2026-11-30T12:00:00.000Z', accountId: trainer.userId })}\n`);
  expect(await runCli(await createDatabase(), ['archive:import', file], { FORGOTTEN_FILE: list })).toEqual({
    code: 1,
    output: 'A conta deste personal foi excluída deste Rende em 2026-11-30T12:00:00.000Z: ela não volta.\n',
  });
});

describe('an import into a Rende with another master key', () => {
  const masterKey = randomBytes(32);
  const nobody = path.join(mailFolder(), 'nobody');
  const env = {
    FORGOTTEN_FILE: nobody,
    RENDE_MASTER_KEY: masterKey.toString('base64'),
  };

  it('needs the public key of the first one, and derives the tokens of links anew', async () => {
    const target = await createDatabase();
    await writeFile(nobody, '');
    const { public_key } = JSON.parse(partOf(copy, ARCHIVE).split('\n', 1)[0]!) as { public_key: string };
    expect(await runCli(target, ['archive:import', file], env)).toEqual({
      code: 1,
      output: expect.stringContaining(`O arquivo é de outro Rende, com a chave pública ${public_key}`),
    });
    expect(await target.query('select from auth.users union all select from tenant_log')).toEqual([]);
    await target.query(
      "insert into tenants (tenant_id, slug, timezone) values (gen_random_uuid(), 'carla-dias', 'America/Recife')",
    );
    const words = ['archive:import', file, '--key', public_key, '--email', 'Nova@Exemplo.com.br'];
    expect(await runCli(target, words, env)).toEqual({
      code: 0,
      output: expect.stringMatching(
        /O personal entra com nova@exemplo\.com\.br.*\n.*agora é \/p\/carla-dias-[\da-f]{8}\./,
      ),
    });
    const tokens = new LinkTokens({ masterKey } as Config);
    const receipts = await target.query<{ id: string; hash: string }>(
      `select transaction_id as id, encode(token_hash, 'hex') as hash from receipt_numbers`,
    );
    expect(receipts.length).toBeGreaterThan(0);
    for (const { id, hash } of receipts) expect(hash).toBe(tokens.storedHashOf('receipt', id));
    expect(await runCli(target, ['audit:verify'], env)).toMatchObject({ code: 0 });
  });
});
