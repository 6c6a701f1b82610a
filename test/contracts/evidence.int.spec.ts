import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  consents,
  type RequestPage,
  type Signable,
  type Verification,
} from '../../backend/modules/contracts/contracts.api.js';
import { download, exportOf } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { connect, testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { unzip } from '../support/zip.js';

const clock = new SetClock(new Date(on(1)(6)));
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let ana: string;
let address: string;

const agreed = { consent_data_processing: true, consent_terms: true, consentimento: consents.versao };
const signature = { nome: 'Ana Souza', cpf: '529.982.247-25', telefone: '(11) 94321-4321', ...agreed };
const guardian = { nome: 'Márcia Souza', cpf: '111.444.777-35', relacao: 'mãe' };

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ clock });
});

beforeEach(async () => {
  clock.at = new Date(on(1)(6));
  trainer = await signUp(app);
  const agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ nome: 'Pacote 4' }));
  address = `ana-${ana}@exemplo.com.br`;
  await trainer.api.patch(`/students/${ana}`, { email: address });
});

/** A contract that asks for this, sent. Answers the token of its link. */
async function sent(asked: object, conteudo = '<p>{{aluno}}, {{cpf}}</p>'): Promise<string> {
  const { id } = (await trainer.api.post('/contracts', { titulo: 'Contrato', conteudo, ...asked })).body;
  await trainer.api.post(`/contracts/${id}/send`, { alunos: [ana], canal: 'link' });
  await caughtUp(database);
  const { items } = (await trainer.api.get<RequestPage>(`/contracts/${id}/requests`)).body;
  return items[0]!.url!.split('/').at(-1)!;
}

const stranger = () =>
  new Client(app.url, { accessToken: '', address: '203.0.113.77', positions: new Map() });
const step = (path: string, body: object) =>
  stranger().request<{ code?: string; confirmado?: boolean; errors?: { pointer: string }[] }>(
    'POST',
    `/api/v1/signature-links/${path}`,
    { body },
  );
const read = async (token: string) => (await stranger().get<Signable>(`/signature-links/${token}`)).body;

describe('a contract that asks for a code', () => {
  it('is signed with the code that was mailed, and with no other', async () => {
    const token = await sent({ codigo_email: true });
    expect((await read(token)).codigo_email).toEqual({
      ...{ para: 'a…@exemplo.com.br', enviado: false, confirmado: false },
    });
    const sign = async (codigo: string | null) =>
      (await step('sign', { token, ...signature, codigo })).body.code;
    expect(await sign(null)).toBe('contracts.mailed_code_missing');
    await step('code', { token });
    expect((await step('code', { token })).body.code).toBe('contracts.code_too_soon');
    const { code } = await nextMail(address);
    const other = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const typed = async (codigo: string) => (await step('confirm-code', { token, codigo })).body;
    expect(await typed(other)).toMatchObject({ confirmado: false });
    // Right, but nobody confirmed it.
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
    expect(stored.filter(({ text }) => text.includes(code))).toEqual([]);
    await expectRebuildToEqualLive(app, 'signature-requests');
  });

  it('says so where the student has no address', async () => {
    await trainer.api.patch(`/students/${ana}`, { email: null });
    const token = await sent({ codigo_email: true });
    expect((await read(token)).codigo_email).toMatchObject({ para: null });
    expect((await step('code', { token })).body.code).toBe('contracts.no_email');
  });
});

describe('a contract that asks for the birth date', () => {
  it('is signed by the guardian of a minor, and kept with name, CPF and relation', async () => {
    const token = await sent({ responsavel: true });
    const wrong = async (more: object) => (await step('sign', { token, ...signature, ...more })).body.errors;
    expect(await wrong({})).toMatchObject([{ pointer: '/nascimento' }]);
    expect(await wrong({ nascimento: '2012-05-04' })).toMatchObject([{ pointer: '/responsavel' }]);
    const minor = { nascimento: '2012-05-04', responsavel: guardian };
    expect(await wrong({ ...minor, responsavel: { ...guardian, cpf: '529.982.247-24' } })).toMatchObject([
      { pointer: '/responsavel/cpf' },
    ]);
    await stranger().post('/signature-links/sign', { token, ...signature, ...minor });
    expect((await read(token)).prova).toMatchObject({
      nascimento: '2012-05-04',
      responsavel: { nome: 'Márcia Souza', cpf: '11144477735', relacao: 'mãe' },
    });
    const { items } = (
      await trainer.api.get<{ items: { texto: string }[] }>('/history', {
        query: { subject: `student:${ana}` },
      })
    ).body;
    expect(items.map(({ texto }) => texto)).toContain(
      'Ana Souza, por Márcia Souza (mãe), assinou o contrato “Contrato” (versão 1) pelo link',
    );
  });

  it('keeps no guardian of an adult, nor a birth date that was not asked for', async () => {
    const adult = { nascimento: '1990-05-04', responsavel: guardian };
    for (const [asked, nascimento] of [
      [{ responsavel: true }, '1990-05-04'],
      [{}, null],
    ] as const) {
      const token = await sent(asked);
      await stranger().post('/signature-links/sign', { token, ...signature, ...adult });
      expect((await read(token)).prova).toMatchObject({ nascimento, responsavel: null });
    }
  });
});

describe('the PDF of a signature', () => {
  const pdf = async (token: string) => {
    const response = await fetch(`${app.url}/api/v1/signature-links/${token}/pdf`);
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const verify = (sha256: string) =>
    stranger().request<Verification>('GET', `/api/v1/contract-files/${sha256}`);
  const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

  it('is made once by the worker, kept, verified by its hash, and its downloads are recorded', async () => {
    const token = await sent({});
    expect((await pdf(token)).status).toBe(409);
    await stranger().post('/signature-links/sign', { token, ...signature });
    await eventually(async () => (await read(token)).prova?.tem_pdf, true);
    const { status, bytes } = await pdf(token);
    expect(status).toBe(200);
    expect(await pdf(token)).toEqual({ status, bytes });
    const { id } = await read(token);
    const own = await trainer.api.request('GET', `/api/v1/signature-requests/${id}/pdf`);
    expect(own.status).toBe(200);
    const { prova } = await read(token);
    expect(bytes.toString('latin1')).toContain(prova!.codigo);
    expect(bytes.toString('latin1')).toContain('ETSI.CAdES.detached');
    expect(bytes.length).toBeLessThan(60_000);
    const events = await database.query<{ type: string; hash: string | null }>(
      `select type, data ->> 'arquivo_hash' as hash from events
       where tenant_id = $1 and stream_id = $2 order by version`,
      [trainer.tenantId, `signature-request:${id}`],
    );
    expect(events.map(({ type }) => type)).toEqual([
      ...['ContractSent', 'ContractSigned', 'ContractCopyMade', 'ContractDownloaded', 'ContractDownloaded'],
    ]);
    expect(events[2]!.hash).toBe(hashOf(bytes));

    expect((await verify(hashOf(bytes))).body).toMatchObject({ resultado: 'valido', iniciais: 'A. S.' });
    expect((await verify(hashOf(Buffer.concat([bytes, Buffer.from(' ')])))).status).toBe(404);
    await stranger().post('/signature-links/withdraw', { token });
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

  it('stays when the student is forgotten, and stands in the copy of everything', async () => {
    const token = await sent({});
    await stranger().post('/signature-links/sign', { token, ...signature });
    await eventually(async () => (await read(token)).prova?.tem_pdf, true);
    await trainer.api.post(`/students/${ana}/forget`);
    const { id } = await read(token);
    const { bytes } = await pdf(token);
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
    const copy = await download(app, trainer.accessToken, await exportOf(trainer));
    const names = [...(await unzip(copy.bytes)).keys()];
    expect(names).toContainEqual(expect.stringMatching(new RegExp(`/contratos-assinados/${id}\\.pdf$`)));
  });
});
