import { createHash } from 'node:crypto';
import { addDays, addMinutes, subYears } from 'date-fns';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  consents,
  type ContractPage,
  type OwnContracts,
  type RequestPage,
  type Signable,
  type SignedByLink,
  type Verification,
} from '../../backend/modules/contracts/contracts.api.js';
import { download, exportOf } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { MailAddresses } from '../../backend/platform/mail/mail-addresses.js';
import { anyAddress } from '../support/addresses.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { connect, createDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { timeStampServer } from '../support/time-stamp-server.js';
import { unzip } from '../support/zip.js';
import { Signatures } from '../../backend/modules/contracts/verification.queries.js';

const clock = new SetClock(new Date(on(1)(6)));
let trainer: Trainer;
let ana: string;
let address: string;

const agreed = { consent_data_processing: true, consent_terms: true, consentimento: consents.versao };
const signature = { nome: 'Ana Souza', cpf: '529.982.247-25', telefone: '(11) 94321-4321', ...agreed };
const guardian = { nome: 'Márcia Souza', cpf: '111.444.777-35', relacao: 'mãe' };

/** The server generates its own. */
const withoutCertificate = { PDF_CERTIFICATE: '', PDF_PRIVATE_KEY: '' };

const app = await sharedApp(clock);
const database = await testDatabase();

beforeEach(async () => {
  clock.at = new Date(on(1)(6));
  trainer = await signUp(app);
  const agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ nome: 'Pacote 4' }));
  address = `ana-${ana}@exemplo.com.br`;
  await trainer.api.patch(`/students/${ana}`, { email: address });
});

/** Sends a contract with these requirements. Returns the token of its link. */
async function sent(asked: object, conteudo = '<p>{{aluno}}, {{cpf}}</p>'): Promise<string> {
  const { id } = (await trainer.api.post('/contracts', { titulo: 'Contrato', conteudo, ...asked })).body;
  await trainer.api.post(`/contracts/${id}/send`, { alunos: [ana], canal: 'link' });
  await caughtUp(database);
  const { items } = (await trainer.api.get<RequestPage>(`/contracts/${id}/requests`)).body;
  return items[0]!.url!.split('/').at(-1)!;
}

/** Each request has its own address, so that no rate limit is reached on a slow machine. */
const stranger = () => new Client(app.url, { accessToken: '', address: anyAddress(), positions: new Map() });
const step = (path: string, body: object) =>
  stranger().request<{ code?: string; confirmado?: boolean; errors?: { pointer: string }[] }>(
    'POST',
    `/api/v1/signature-links/${path}`,
    { body },
  );
const read = async (token: string) => {
  await caughtUp(database);
  return (await stranger().get<Signable>(`/signature-links/${token}`)).body;
};
const question = (of: TestApp, path: string, token: string, cpf: string) =>
  fetch(`${of.url}/api/v1/signature-links/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': anyAddress() },
    body: JSON.stringify({ token, cpf }),
  });
/** Reads by the link with the signer's CPF. */
const readSigned = async (token: string, cpf = signature.cpf) => {
  await caughtUp(database);
  return (await (await question(app, 'read', token, cpf)).json()) as SignedByLink;
};

describe('a contract that asks for a code', () => {
  it('is signed only with the code that was mailed, also to who wants no mails of the trainer', async () => {
    const token = await sent({ codigo_email: true });
    await database.query(
      `insert into mail_stops (tenant_id, address_hash, reason, cause) values ($1, $2, 'asked', 'trainer')`,
      [trainer.tenantId, app.nest.get(MailAddresses).hashOf(address)],
    );
    expect((await read(token)).codigo_email).toEqual({
      para: 'a…@exemplo.com.br',
      enviado: false,
      confirmado: false,
    });
    const sign = async (codigo: string | null) =>
      (await step('sign', { token, ...signature, codigo })).body.code;
    expect(await sign(null)).toBe('contracts.mailed_code_missing');
    // It is always mailed to the address that the trainer recorded.
    expect((await step('code', { token, email: 'outro@exemplo.com.br' })).status).toBe(400);
    const counted = [trainer.tenantId, app.nest.get(MailAddresses).hashOf(address)];
    await database.query(
      `insert into mail_ledger (tenant_id, address_hash, cause, at) select $1, $2, 'code', $3 from generate_series(1, 10)`,
      [...counted, clock.at],
    );
    expect((await step('code', { token })).body.code).toBe('contracts.codes_of_today');
    await database.query('delete from mail_ledger where tenant_id = $1 and address_hash = $2', counted);
    await step('code', { token });
    await trainer.api.patch(`/students/${ana}`, { email: 'outro@exemplo.com.br' });
    expect((await step('code', { token })).body.code).toBe('contracts.code_too_soon');
    const { code } = await nextMail(address);
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const typed = async (codigo: string) => (await step('confirm-code', { token, codigo })).body;
    expect(await typed(other)).toMatchObject({ confirmado: false });
    // The right code, but it was not confirmed.
    expect(await sign(code)).toBe('contracts.mailed_code_missing');
    expect(await typed(code)).toMatchObject({ confirmado: true });
    expect(await sign(other)).toBe('contracts.mailed_code_missing');
    expect(await sign(code)).toBeUndefined();
    await eventually(async () => (await read(token)).prova?.tem_pdf, true);
    expect((await read(token)).prova).toMatchObject({ codigo_confirmado_em: clock.at.toISOString() });
    const stored = await database.query<{ text: string }>(
      `select to_jsonb(e)::text as text from events e where tenant_id = $1
       union all select to_jsonb(k)::text from idempotency_keys k where tenant_id = $1`,
      [trainer.tenantId],
    );
    // As a word of its own: six digits in a row may be part of a hash or of a timestamp.
    const said = new RegExp(`(?<![\\w.])${code}(?!\\w)`);
    expect(stored.filter(({ text }) => said.test(text))).toEqual([]);
    await expectRebuildToEqualLive(app, 'signature-requests');
  });

  it('is not signed by guessing the confirmed code from many addresses', async () => {
    const token = await sent({ codigo_email: true });
    await step('code', { token });
    const { code } = await nextMail(address);
    await step('confirm-code', { token, codigo: code });
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const sign = async () => (await step('sign', { token, ...signature, codigo: other })).body.code;
    const answers: unknown[] = [];
    for (let guess = 0; guess < 11; guess += 1) answers.push(await sign());
    expect(answers).toEqual([...Array<string>(10).fill('contracts.mailed_code_missing'), 'rate_limited']);
    // It is counted for this request only.
    const fresh = await sent({ codigo_email: true });
    const answer = await step('sign', { token: fresh, ...signature, codigo: other });
    expect(answer.body.code).toBe('contracts.mailed_code_missing');
  });

  it('says so if the student has no address', async () => {
    await trainer.api.patch(`/students/${ana}`, { email: null });
    const token = await sent({ codigo_email: true });
    expect((await read(token)).codigo_email).toMatchObject({ para: null });
    expect((await step('code', { token })).body.code).toBe('contracts.no_email');
  });
});

describe("a contract in the student's area that was opened by a link", () => {
  it('shows where to sign only to who types the code that was mailed to the student', async () => {
    await sent({});
    const { body } = await trainer.api.post<{ url: string }>(`/students/${ana}/area-link`);
    const headers = { 'Rende-Link': body.url.split('/').at(-1)! };
    const holder = new Client(app.url);
    const listed = async () => {
      await caughtUp(database);
      return (await holder.get<OwnContracts>('/student/signature-requests', { headers })).body;
    };
    const own = await listed();
    expect(own).toMatchObject({ items: [{ titulo: 'Contrato' }], codigo_para: 'a…@exemplo.com.br' });
    expect(JSON.stringify(own)).not.toContain('/assinar/');
    const path = `/student/signature-requests/${own.items[0]!.id}`;
    for (const [method, refused] of [
      ['GET', path],
      ['POST', `${path}/sign`],
      ['POST', `${path}/decline`],
    ])
      expect((await holder.request(method!, `/api/v1${refused}`, { headers })).status).toBe(401);
    await holder.post(`${path}/code`, undefined, { headers });
    const { code } = await nextMail(address);
    const typed = async (codigo: string) =>
      (await holder.post(`${path}/confirm-code`, { codigo }, { headers })).body;
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    expect(await typed(other)).toMatchObject({ confirmado: false, link: null });
    expect(await typed(code)).toMatchObject({
      confirmado: true,
      link: expect.stringMatching(/^\/assinar\/[\w-]{32}$/),
    });

    await trainer.api.patch(`/students/${ana}`, { email: null });
    expect(await listed()).toMatchObject({ codigo_para: null });
  });
});

describe('a contract that asks for the birth date', () => {
  it("is signed by a minor's guardian, and records name, CPF and relation", async () => {
    const token = await sent({ responsavel: true });
    const wrong = async (more: object) => (await step('sign', { token, ...signature, ...more })).body.errors;
    expect(await wrong({})).toMatchObject([{ pointer: '/nascimento' }]);
    expect(await wrong({ nascimento: '2012-05-04' })).toMatchObject([{ pointer: '/responsavel' }]);
    const minor = { nascimento: '2012-05-04', responsavel: guardian };
    expect(await wrong({ ...minor, responsavel: { ...guardian, cpf: '529.982.247-24' } })).toMatchObject([
      { pointer: '/responsavel/cpf' },
    ]);
    await stranger().post('/signature-links/sign', { token, ...signature, ...minor });
    const prova = (await readSigned(token)).prova!;
    expect(prova).toMatchObject({
      nascimento: '2012-05-04',
      responsavel: { nome: 'Márcia Souza', cpf: '11144477735', relacao: 'mãe' },
    });
    expect(await verified(app, prova.codigo)).toMatchObject({
      iniciais: 'M. S.',
    });
    const { items } = (
      await trainer.api.get<{ items: { texto: string }[] }>('/history', {
        query: { subject: `student:${ana}` },
      })
    ).body;
    expect(items.map(({ texto }) => texto)).toContain(
      'O aluno, por Márcia Souza (mãe), assinou o contrato “Contrato” (versão 1) pelo link',
    );
  });

  it('is not signed alone by a student whom the trainer recorded as a minor, until the 18th birthday', async () => {
    const nascimento = subYears(addDays(clock.at, 1), 18).toISOString().slice(0, 10);
    await trainer.api.patch(`/students/${ana}`, { nascimento });
    const token = await sent({ responsavel: true });
    const alone = async (birth: string) =>
      (await step('sign', { token, ...signature, nascimento: birth })).body.errors;
    expect(await alone('1990-05-04')).toEqual([
      {
        pointer: '/nascimento',
        detail: 'No cadastro, o aluno tem menos de 18 anos. Confira a data ou fale com seu personal.',
      },
    ]);
    expect(await alone(nascimento)).toMatchObject([{ pointer: '/responsavel' }]);
    clock.at = addDays(clock.at, 1);
    expect(await alone(nascimento)).toBeUndefined();
    expect((await readSigned(token)).prova).toMatchObject({ nascimento, responsavel: null });
  });

  it('stores no guardian for an adult, and no birth date that was not required', async () => {
    const adult = { nascimento: '1990-05-04', responsavel: guardian };
    for (const [asked, nascimento] of [
      [{ responsavel: true }, '1990-05-04'],
      [{}, null],
    ] as const) {
      const token = await sent(asked);
      await stranger().post('/signature-links/sign', { token, ...signature, ...adult });
      expect((await readSigned(token)).prova).toMatchObject({ nascimento, responsavel: null });
    }
  });
});

describe('a student who is recorded as a minor', () => {
  const fourteen = () => subYears(clock.at, 14).toISOString().slice(0, 10);
  const contractOf = async (token: string) => {
    const { items } = (await trainer.api.get<ContractPage>('/contracts')).body;
    return { id: items[0]!.id, shown: await read(token) };
  };
  const requestsOf = async (id: string) =>
    (await trainer.api.get<RequestPage>(`/contracts/${id}/requests`)).body.items;

  it('does not sign alone, whatever the contract asks for, and the sending says so before', async () => {
    const details = { responsavel_nome: 'Márcia Souza', responsavel_telefone: '(11) 91234-5678' };
    await trainer.api.patch(`/students/${ana}`, { nascimento: fourteen(), ...details });
    const token = await sent({});
    const { id, shown } = await contractOf(token);
    expect(shown).toMatchObject({ responsavel: false, papel_responsavel: 'representa' });
    const preview = await trainer.api.request('POST', `/api/v1/contracts/${id}/send/preview`, {
      body: { alunos: [ana] },
    });
    expect(preview.body).toEqual({
      menores: [{ student_id: ana, nome: 'Ana Souza', papel: 'representa', responsavel: 'Márcia Souza' }],
      total_menores: 1,
      sem_nascimento: 0,
      faltam: [],
    });
    // The prepared message goes to the guardian.
    expect((await requestsOf(id))[0]!.whatsapp).toMatch(/wa\.me\/5511912345678\?text=Oi%2C%20M%C3%A1rcia!/);
    const signing = async (more: object) =>
      (await step('sign', { token, ...signature, ...more })).body.errors;
    expect(await signing({})).toMatchObject([{ pointer: '/responsavel' }]);
    expect(await signing({ nascimento: '1990-05-04' })).toMatchObject([{ pointer: '/nascimento' }]);
    expect(await signing({ responsavel: { ...guardian, nascimento: fourteen() } })).toMatchObject([
      { pointer: '/responsavel/nascimento' },
    ]);
    expect(await signing({ responsavel: guardian })).toBeUndefined();
    const { prova } = await readSigned(token);
    expect(prova).toMatchObject({ nascimento: fourteen(), responsavel: { cpf: '11144477735' } });
    expect(await verified(app, prova!.codigo)).toMatchObject({
      resultado: 'valido',
    });
  });

  it('who had signed alone is nowhere shown as having signed, and the guardian gets it again', async () => {
    const token = await sent({});
    await stranger().post('/signature-links/sign', { token, ...signature });
    const { codigo } = (await readSigned(token)).prova!;
    const resultOf = async (code = codigo) => (await verified(app, code)).resultado;
    expect(await resultOf()).toBe('valido');
    await trainer.api.patch(`/students/${ana}`, { nascimento: fourteen() });
    await caughtUp(database);
    expect(await resultOf()).toBe('sem_responsavel');
    const { id } = await contractOf(token);
    expect((await requestsOf(id)).map(({ estado }) => estado)).toEqual(['sem_responsavel']);
    const own = await trainer.api.get('/signature-requests', { query: { student_id: ana } });
    expect(own.body).toMatchObject({ items: [{ estado: 'sem_responsavel' }] });

    await trainer.api.post(`/contracts/${id}/send`, { alunos: [ana], canal: 'link' });
    await caughtUp(database);
    const [again] = await requestsOf(id);
    const second = again!.url!.split('/').at(-1)!;
    await stranger().post('/signature-links/sign', { token: second, ...signature, responsavel: guardian });
    expect(await resultOf((await readSigned(second)).prova!.codigo)).toBe('valido');
    expect(await resultOf()).toBe('substituido');
    const repeated = await trainer.api.post(`/contracts/${id}/send`, { alunos: [ana], canal: 'link' });
    expect(repeated.body).toMatchObject({ enviados: 0, ja_assinados: 1 });
    expect((await trainer.api.get<ContractPage>('/contracts')).body.items[0]).toMatchObject({
      assinaturas: 1,
    });
  });
});

describe('a signature', () => {
  it('cannot be changed by any route, database role or SQL of the application', async () => {
    const token = await sent({});
    await stranger().post('/signature-links/sign', { token, ...signature });
    await eventually(async () => (await read(token)).prova?.tem_pdf, true);
    const before = await readSigned(token);
    const { id } = before;
    const contracts = await trainer.api.get<ContractPage>('/contracts');
    const contract = `/contracts/${contracts.body.items[0]!.id}`;
    await trainer.api.delete(`/signature-requests/${id}`, { status: 409 });
    await trainer.api.post(`/signature-requests/${id}/remind`, { canal: 'link' }, { status: 409 });
    await trainer.api.patch(contract, { titulo: 'Outro', conteudo: '<p>outro</p>' });
    for (const [path, more] of [
      ['sign', signature],
      ['decline', { motivo: 'caro' }],
    ] as const)
      expect((await step(path, { token, ...more })).body.code).toBe('contracts.already_signed');
    const { DATABASE_URL: app, DATABASE_PROJECTOR_URL: projector } = database.environment;
    const ofTheLog = [
      `update events set data = '{}' where type = 'ContractSigned'`,
      `delete from events where type = 'ContractSigned'`,
      'truncate events',
      `update kept_files set sealed = ''`,
      'delete from kept_files',
    ];
    // The projector writes read tables and nothing of the log.
    const ofReadTables = [
      `update read.signature_requests set conteudo = 'x'`,
      `delete from read.signature_requests`,
      `update read.contracts set versoes = '[]'`,
    ];
    for (const [address, statements] of [
      [app, [...ofTheLog, ...ofReadTables]],
      [projector, ofTheLog],
    ] as const) {
      const role = await connect(address);
      for (const text of statements) {
        await role.query('begin');
        await role.query("select set_config('app.tenant', $1, true)", [trainer.tenantId]);
        await expect(role.query(text)).rejects.toThrow('permission denied');
        await role.query('rollback');
      }
    }
    expect(await readSigned(token)).toEqual(before);
  });
});

describe('the PDF of a signature', () => {
  const certificates = (of: TestDatabase) =>
    of.query<{ certificate: Buffer }>('select certificate from pdf_certificate');
  const pdf = async (token: string) => {
    const response = await question(app, 'pdf', token, signature.cpf);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const verify = (sha256: string) =>
    stranger().request<Verification>('GET', `/api/v1/contract-files/${sha256}`);
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  it('is written once by the worker, stored, verified by its hash, and its downloads are recorded', async () => {
    const token = await sent({});
    expect((await pdf(token)).status).toBe(409);
    await stranger().post('/signature-links/sign', { token, ...signature });
    await eventually(async () => (await read(token)).prova?.tem_pdf, true);
    const { status, bytes } = await pdf(token);
    expect(status).toBe(200);
    expect(await pdf(token)).toEqual({ status, bytes });
    const { id } = await read(token);
    const taken = await trainer.api.request('GET', `/api/v1/signature-requests/${id}/pdf`);
    expect(taken.status).toBe(200);
    const { prova } = await read(token);
    expect(bytes.toString('latin1')).toContain(prova!.codigo);
    expect(textOf(bytes)).toContain('Enviado por WhatsApp ou link');
    expect(bytes.toString('latin1')).toContain('ETSI.CAdES.detached');
    expect(bytes.length).toBeLessThan(60_000);
    const events = await database.query<{ type: string; hash: string | null }>(
      `select type, data ->> 'arquivo_hash' as hash from events
       where tenant_id = $1 and stream_id = $2 order by version`,
      [trainer.tenantId, `signature-request:${id}`],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'ContractSent',
      'ContractSigned',
      'ContractCopyMade',
      'ContractDownloaded',
      'ContractDownloaded',
    ]);
    expect(events[2]!.hash).toBe(hashOf(bytes));

    expect((await verify(hashOf(bytes))).body).toMatchObject({ resultado: 'valido', iniciais: 'A. S.' });
    expect((await verify(hashOf(Buffer.concat([bytes, Buffer.from(' ')])))).status).toBe(404);
    await stranger().post('/signature-links/withdraw', { token, cpf: signature.cpf });
    await caughtUp(database);
    expect((await verify(hashOf(bytes))).body).toMatchObject({ resultado: 'retirado' });

    const role = await connect(database.environment.DATABASE_URL);
    await role.query("select set_config('app.tenant', $1, false)", [trainer.tenantId]);
    for (const text of [
      `update kept_files set sealed = ''`,
      'delete from kept_files',
      `update pdf_certificate set sealed_key = ''`,
      'delete from pdf_certificate',
    ])
      await expect(role.query(text)).rejects.toThrow('permission denied');
    const stored = await database.query<{ sealed: Buffer }>('select sealed from kept_files where id = $1', [
      id,
    ]);
    expect(stored[0]!.sealed.includes('%PDF')).toBe(false);
    await expectRebuildToEqualLive(app, 'signature-requests');
  });

  it("is shown by its link only with the signer's CPF, from the first minute on", async () => {
    const minor = { nascimento: '2012-05-04', responsavel: guardian };
    const token = await sent({ responsavel: true });
    await stranger().post('/signature-links/sign', { token, ...signature, ...minor });
    await eventually(async () => (await read(token)).prova?.tem_pdf, true);
    const veiled = await read(token);
    expect(veiled).toMatchObject({ estado: 'assinado', pede_cpf: true, conteudo: '', aluno: null });
    expect(JSON.stringify(veiled)).not.toMatch(
      /Souza|529\.?982|111\.?444|94321-?4321|2012-05|mãe|10\.\d{3}\./,
    );
    for (const path of ['read', 'pdf'])
      expect((await question(app, path, token, '153.509.460-56')).status).toBe(403);
    expect((await step('withdraw', { token, cpf: '153.509.460-56' })).body.code).toBe('contracts.wrong_cpf');
    expect((await step('withdraw', { token })).status).toBe(400);
    // The trainer always reads it, and so does its student when signed in.
    const { body: whole } = await trainer.api.get<Signable>(`/signature-requests/${veiled.id}`);
    expect(whole).toMatchObject({ pede_cpf: false, conteudo: expect.stringContaining('529.982.247-25') });
    const { status, bytes } = await pdf(token);
    expect(status).toBe(200);
    for (const cpf of [signature.cpf, guardian.cpf]) {
      const { aluno, pagina, ...shown } = await readSigned(token, cpf);
      expect(pagina).toContain('529.982.247-25');
      expect(shown).toEqual({ ...whole, aluno: undefined });
      expect(aluno).toEqual({ nome: 'Ana Souza', whatsapp: null });
      const answer = await question(app, 'pdf', token, cpf);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    }
  });

  it('allows twenty tries of the CPF an hour, from any number of addresses', async () => {
    const token = await sent({});
    const guess = () => step('read', { token, cpf: '153.509.460-56' });
    expect((await guess()).body.code).toBe('contracts.not_signed');
    for (let more = 0; more < 19; more += 1) await guess();
    expect((await guess()).body.code).toBe('rate_limited');
  });

  it('is kept when the student is forgotten, and is part of the export', async () => {
    const token = await sent({});
    await stranger().post('/signature-links/sign', { token, ...signature });
    await eventually(async () => (await read(token)).prova?.tem_pdf, true);
    await trainer.api.post(`/students/${ana}/forget`);
    const { id } = await read(token);
    const { bytes } = await pdf(token);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const copy = await download(app, trainer.accessToken, await exportOf(trainer));
    const files = await unzip(copy.bytes);
    const [, signatures] = [...files].find(([name]) => name.endsWith('/assinaturas.json'))!;
    // With the salt, holders of the copy can check the hash.
    expect(signatures).toContain((await readSigned(token)).prova!.sal);
    expect([...files.keys()]).toContainEqual(
      expect.stringMatching(new RegExp(`/contratos-assinados/${id}\\.pdf$`)),
    );
  });

  it('is signed with one certificate even if several processes start at once, and gives up waiting for a time stamp', async () => {
    const first = await createDatabase();
    const stamps = await timeStampServer(new Date('2026-11-30T12:00:00Z'));
    const start = () =>
      startApp({ database: first, clock, env: { ...withoutCertificate, TIMESTAMP_URL: stamps.url } });
    const [one] = await Promise.all([start(), start()]);
    const [made, ...others] = await certificates(first);
    expect([made !== undefined, others]).toEqual([true, []]);

    const { api } = await signUp(one);
    const there = new Client(one.url, { accessToken: '', address: '203.0.113.77', positions: new Map() });
    const readThere = async (token: string) =>
      (await there.get<Signable>(`/signature-links/${token}`)).body.prova;
    const signedThere = async (nome: string) => {
      const of = (await api.post('/students', { nome, telefone: '11943214322' })).body.id;
      const text = { titulo: 'Contrato', conteudo: '<p>{{aluno}}</p>' };
      const { id } = (await api.post('/contracts', text)).body;
      await api.post(`/contracts/${id}/send`, { alunos: [of], canal: 'link' });
      const { items } = (await api.get<RequestPage>(`/contracts/${id}/requests`)).body;
      const token = items[0]!.url!.split('/').at(-1)!;
      await there.post('/signature-links/sign', { token, ...signature });
      return token;
    };
    const fileOf = async (token: string) => {
      await eventually(async () => (await readThere(token))?.tem_pdf, true);
      const response = await question(one, 'pdf', token, signature.cpf);
      const { codigo } = (await readThere(token))!;
      const { carimbo_em } = await verified(one, codigo);
      return { bytes: Buffer.from(await response.arrayBuffer()), carimbo_em };
    };

    // A time stamp signed by another key does not count: it is requested again.
    stamps.flaws = { otherKey: true };
    const stampedToken = await signedThere('Caio');
    await eventually(() => Promise.resolve(stamps.asked > 0), true);
    expect((await readThere(stampedToken))!.tem_pdf).toBe(false);
    stamps.flaws = {};
    const stamped = await fileOf(stampedToken);
    expect(stamped.carimbo_em).toBe('2026-11-30T12:00:00.000Z');
    expect(textOf(stamped.bytes)).toContain('RFC 3161, na assinatura digital deste arquivo');

    stamps.flaws = { otherKey: true };
    const token = await signedThere('Bia');
    clock.at = addMinutes(clock.at, 10);
    const { bytes, carimbo_em } = await fileOf(token);
    expect(carimbo_em).toBeNull();
    expect(textOf(bytes)).toContain('o servidor de carimbo do tempo não deu um carimbo válido');
    expect(bytes.toString('latin1')).toContain(made!.certificate.toString('hex'));
  });
});

/** What a verification code says to anybody. */
const verified = ({ nest }: Pick<TestApp, 'nest'>, code: string) => nest.get(Signatures).ofCode(code);
