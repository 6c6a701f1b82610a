import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import type { PaymentPage } from '../../backend/modules/charges/payment-page.api.js';
import { providerTxid } from '../../backend/modules/charges/provider-code.js';
import type { PixHook, UndecidedPage } from '../../backend/modules/charges/pix-notices.api.js';
import { ApiPixClient } from '../../backend/modules/charges/api-pix-client.service.js';
import type { NewPixProvider, PixProviderShown } from '../../backend/modules/charges/pix-provider.api.js';
import { CodeTurns } from '../../backend/modules/charges/code-turns.service.js';
import type { Connection } from '../../backend/modules/charges/provider-connection.js';
import { ProviderFailure } from '../../backend/modules/charges/provider-failure.js';
import { Config } from '../../backend/platform/config/env.js';
import { dueCodeTurns, ProviderCodesJob } from '../../backend/modules/charges/provider-codes.job.js';
import { followed } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { startPixProvider, type TestAccount, type TestCob } from '../support/pix-provider.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';

const clock = new SetClock(new Date('2026-11-21T12:00:00Z'));
const KEY = { tipo: 'email', chave: 'pix@exemplo.com.br', nome: 'Carla', cidade: 'Recife' };
let account: TestAccount;
let trainer: Trainer;
let studentId: string;

const database = await testDatabase();
const provider = await startPixProvider({ now: () => clock.now() });
const app = await startApp({ clock, env: { PIX_TEST_ORIGIN: provider.origin }, byHand: [dueCodeTurns] });

beforeEach(async () => {
  clock.at = new Date('2026-11-21T12:00:00Z');
  Object.assign(provider, { fault: undefined, tokenLength: undefined, asked: [] });
  account = provider.account();
  trainer = await signUp(app);
  await trainer.api.put('/settings/pix', KEY);
  studentId = (await trainer.api.post('/students', { nome: 'Ana', telefone: '(11) 98877-6655' })).body.id;
});

const bodyOf = ({ clientId, clientSecret }: TestAccount, more: object = {}) => ({
  url_api: provider.urlApi,
  url_token: provider.urlToken,
  client_id: clientId,
  client_secret: clientSecret,
  certificado: null,
  chave_privada: null,
  ...more,
});
const shown = async () => (await trainer.api.get<PixProviderShown>('/settings/pix/provider')).body.conexao;
/** Also waits until the visit that follows is over. */
const connect = async (more: object = {}) => {
  const answer = await trainer.api.put('/settings/pix/provider', bodyOf(account, more));
  await eventually(async () => typeof (await shown())?.testado_em, 'string');
  return answer;
};
const issue = async (valor = 60_000, api = trainer.api, student = studentId): Promise<string> =>
  (
    await api.post('/charges', {
      student_id: student,
      descricao: 'Pacote 10',
      valor,
      vencimento: '2026-11-25',
    })
  ).body.id;
const get = async (id: string) => (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
/** A charge that is due, or that another visit has claimed. */
const UNSETTLED = `select from pix_code_turns
  where tenant_id = $1 and (proxima_em <= $2 or proxima_em = $2::timestamptz + interval '3 minutes')`;
/** Waits for everything that follows by itself, and makes one more visit. */
const visited = async () => {
  await followed(database);
  await app.nest.get(ProviderCodesJob).visit(trainer.tenantId, false);
  await eventually(async () => (await database.query(UNSETTLED, [trainer.tenantId, clock.now()])).length, 0);
  await followed(database);
};
const cobOf = (id: string, made = 0) => account.cobs.get(providerTxid(id, made));
const statusOf = (id: string, made = 0) => cobOf(id, made)?.status;
const later = (minutes: number) => (clock.at = new Date(clock.at.getTime() + minutes * 60_000));
const arrivals = () =>
  database.query(`select from events where tenant_id = $1 and type = 'PixArrived'`, [trainer.tenantId]);

/** Sends the provider's notice to the trainer's address. */
async function tell(pix: object, { api } = trainer): Promise<void> {
  const { url, segredo } = (await api.get<PixHook>('/settings/pix/webhook')).body;
  const body = JSON.stringify({ pix: [pix] });
  const signature = createHmac('sha256', segredo).update(body).digest('hex');
  const headers = { 'Content-Type': 'application/json', 'x-signature': signature };
  const answer = await fetch(app.url + new URL(url).pathname, { method: 'POST', headers, body });
  expect(answer.status).toBe(204);
}

describe('a charge of a trainer with a provider', () => {
  it("has the provider's code, on its page, in its details and for the student", async () => {
    const before = await issue();
    await connect();
    const after = await issue(12_345);
    await visited();
    const [cob] = [cobOf(before)!];
    expect(cob).toMatchObject({
      status: 'ATIVA',
      chave: KEY.chave,
      valor: { original: '600.00' },
      solicitacaoPagador: 'Pacote 10',
      // Until 30 days after the due date.
      calendario: { expiracao: 34 * 86_400 + 43_199 },
    });
    expect(cobOf(after)).toMatchObject({ valor: { original: '123.45' } });
    const detail = await get(before);
    expect(detail).toMatchObject({ pix: cob.pixCopiaECola, provedor: { fez: true, falha: null } });
    const page = await trainer.api.get<PaymentPage>(`/pay/${detail.link!.split('/').at(-1)}`);
    expect(page.body.pix?.codigo).toBe(cob.pixCopiaECola);
    expect(await shown()).toMatchObject({
      servidor: '127.0.0.1',
      falha: null,
      codigos: 2,
      falharam: 0,
      com_certificado: false,
    });
    for (const name of ['pix-codes', 'pix-providers']) await expectRebuildToEqualLive(app, name);
  });

  it('is requested from the provider once, however often it is read', async () => {
    await connect();
    const id = await issue();
    await visited();
    await Promise.all(
      Array.from({ length: 10 }, () => app.nest.get(ProviderCodesJob).visit(trainer.tenantId, false)),
    );
    await visited();
    const txid = providerTxid(id, 0);
    expect(provider.asked.filter((call) => call === `PUT /cob/${txid}`)).toHaveLength(1);
    expect(account.cobs.size).toBe(1);
  });

  it('gets its code changed together with amount and due date, and removed when it is cancelled', async () => {
    await connect();
    const id = await issue();
    await visited();
    await trainer.api.patch(`/charges/${id}`, { valor: 45_000, vencimento: '2026-12-10' });
    await visited();
    expect(cobOf(id)).toMatchObject({ revisao: 1, valor: { original: '450.00' }, status: 'ATIVA' });
    expect(cobOf(id)!.calendario.expiracao).toBe(49 * 86_400 + 43_199);
    expect(await get(id)).toMatchObject({ pix: cobOf(id)!.pixCopiaECola });
    await trainer.api.post(`/charges/${id}/cancel`);
    await visited();
    expect(statusOf(id)).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    await trainer.api.post(`/charges/${id}/restore`);
    await visited();
    expect([statusOf(id, 1), (await get(id)).pix]).toEqual(['ATIVA', cobOf(id, 1)!.pixCopiaECola]);
  });

  it('has no code once it is paid by hand, and a code for the rest if it is paid in part', async () => {
    await connect();
    const [whole, part] = [await issue(), await issue()];
    await visited();
    const paid = { data: '2026-11-21', metodo_pagamento: 'dinheiro' };
    await trainer.api.post(`/charges/${whole}/payments`, { ...paid, valor: 60_000 });
    await trainer.api.post(`/charges/${part}/payments`, { ...paid, valor: 20_000 });
    await visited();
    const removed = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
    expect([statusOf(whole), statusOf(part), statusOf(whole, 1)]).toEqual([removed, removed, undefined]);
    expect(cobOf(part, 1)).toMatchObject({ status: 'ATIVA', valor: { original: '400.00' } });
    expect(await get(part)).toMatchObject({ falta: 40_000, pix: cobOf(part, 1)!.pixCopiaECola });
  });

  it('is settled once although the notice was lost or is late', async () => {
    await connect();
    const id = await issue();
    await visited();
    const pix = provider.pay(account, providerTxid(id, 0));
    later(11);
    await app.nest.get(ProviderCodesJob).visitDue();
    await followed(database);
    expect(await get(id)).toMatchObject({
      situacao: 'paga',
      pagamentos: [{ valor: 60_000, metodo_pagamento: 'pix', data: '2026-11-21' }],
    });
    await tell(pix);
    later(600);
    await visited();
    expect([(await arrivals()).length, (await get(id)).pagamentos.length]).toEqual([1, 1]);
    const asked = provider.asked.length;
    later(600);
    await visited();
    expect(provider.asked).toHaveLength(asked);
  });

  it("is settled by the notice with the provider's code", async () => {
    await connect();
    const id = await issue();
    await visited();
    await tell(provider.pay(account, providerTxid(id, 0), '250.00'));
    await visited();
    expect(await get(id)).toMatchObject({ situacao: 'aberta', falta: 35_000 });
    expect(cobOf(id, 1)).toMatchObject({ status: 'ATIVA', valor: { original: '350.00' } });
    expect((await arrivals()).length).toBe(1);
  });

  it('whose code was paid after the cancellation leaves the money to be decided', async () => {
    await connect();
    const id = await issue();
    await visited();
    provider.pay(account, providerTxid(id, 0));
    await trainer.api.post(`/charges/${id}/cancel`);
    await visited();
    const { items } = (await trainer.api.get<UndecidedPage>('/arrived-pix')).body;
    expect(items).toMatchObject([{ valor: 60_000, charge_id: id }]);
  });

  it('whose code was changed at the provider gets it changed back', async () => {
    await connect();
    const id = await issue();
    await visited();
    cobOf(id)!.valor = { original: '999.00' };
    later(11);
    await visited();
    expect(cobOf(id)).toMatchObject({ status: 'ATIVA', revisao: 1, valor: { original: '600.00' } });
    cobOf(id)!.chave = 'ladrao@exemplo.com.br';
    later(700);
    await visited();
    expect((await get(id)).provedor).toMatchObject({ falha: expect.stringContaining('outra chave') });
  });

  it('keeps its code while the address of the API is wrong', async () => {
    await connect();
    const id = await issue();
    await visited();
    provider.fault = ({ method }) => (method === 'GET' ? { status: 404, type: 'Ausente' } : undefined);
    later(11);
    await visited();
    expect(await get(id)).toMatchObject({
      pix: cobOf(id)!.pixCopiaECola,
      provedor: { fez: true, falha: 'na API, o provedor recusou o pedido (404, Ausente)' },
    });
    provider.pay(account, providerTxid(id, 0));
    provider.fault = undefined;
    later(2);
    await visited();
    expect((await get(id)).situacao).toBe('paga');
  });

  it('that the provider reports as paid without a Pix stays open and is checked again', async () => {
    await connect();
    const id = await issue();
    await visited();
    provider.pay(account, providerTxid(id, 0));
    provider.fault = ({ method }) => (method === 'GET' ? (cob) => ({ ...cob, pix: [] }) : undefined);
    later(11);
    await visited();
    expect(await get(id)).toMatchObject({
      situacao: 'aberta',
      provedor: { falha: 'na API, a cobrança consta como paga, mas sem o Pix que a pagou' },
    });
    expect(account.cobs.size).toBe(1);
    provider.fault = undefined;
    later(2);
    await visited();
    expect([(await get(id)).situacao, (await arrivals()).length]).toEqual(['paga', 1]);
  });

  it('gets a longer term before its code ends, and a new code for another key', async () => {
    await connect();
    const id = await issue();
    await visited();
    const first = cobOf(id)!.calendario.expiracao;
    clock.at = new Date('2026-12-25T00:00:00Z');
    await visited();
    expect(cobOf(id)!.calendario.expiracao).toBeGreaterThan(first);
    await trainer.api.put('/settings/pix', { ...KEY, chave: 'outra@exemplo.com.br' });
    await visited();
    expect(statusOf(id)).toBe('REMOVIDA_PELO_USUARIO_RECEBEDOR');
    expect(cobOf(id, 1)).toMatchObject({ status: 'ATIVA', chave: 'outra@exemplo.com.br' });
  });

  it("gets the code of the trainer's key again when the provider is disconnected", async () => {
    await connect();
    const id = await issue();
    await visited();
    await trainer.api.delete('/settings/pix/provider');
    await visited();
    expect(await get(id)).toMatchObject({ provedor: null, pix: expect.stringContaining(KEY.chave) });
    expect([await shown(), statusOf(id)]).toEqual([null, 'REMOVIDA_PELO_USUARIO_RECEBEDOR']);
    await trainer.api.post('/settings/pix/provider/restore');
    await visited();
    expect((await get(id)).pix).toBe(cobOf(id, 1)!.pixCopiaECola);
  });
});

describe('a provider that is disconnected', () => {
  it('during a payment: the money is recorded', async () => {
    await connect();
    const id = await issue();
    await visited();
    provider.fault = ({ method }) => {
      if (method === 'PATCH' && statusOf(id) === 'ATIVA') provider.pay(account, providerTxid(id, 0));
      return undefined;
    };
    await trainer.api.delete('/settings/pix/provider');
    await visited();
    await eventually(async () => (await get(id)).situacao, 'paga');
    expect((await arrivals()).length).toBe(1);
  });

  it('and refuses access is called once for all charges, and again until their codes end', async () => {
    await connect();
    const ids: string[] = [];
    for (let n = 0; n < 8; n += 1) ids.push(await issue());
    await visited();
    await eventually(async () => (await shown())?.codigos, 8);
    Object.assign(provider, { fault: () => ({ status: 503 }), asked: [] });
    await trainer.api.delete('/settings/pix/provider');
    await visited();
    // Once by each visit: that of the reaction, the test's own, and an earlier one that is late.
    expect(provider.asked.length).toBeLessThanOrEqual(3);
    const left = () => database.query('select from read.pix_codes where tenant_id = $1', [trainer.tenantId]);
    expect((await left()).length).toBe(8);
    provider.fault = undefined;
    provider.pay(account, providerTxid(ids[0]!, 0));
    later(15);
    await visited();
    await eventually(async () => (await left()).length, 0);
    await eventually(async () => (await get(ids[0]!)).situacao, 'paga');
    expect(ids.slice(1).map((id) => statusOf(id))).toEqual(Array(7).fill('REMOVIDA_PELO_USUARIO_RECEBEDOR'));
  });

  it('and never answers is given up once the code has ended', async () => {
    await connect();
    await issue();
    await visited();
    provider.fault = () => ({ status: 503 });
    await trainer.api.delete('/settings/pix/provider');
    await visited();
    clock.at = new Date('2026-12-26T12:00:00Z');
    await visited();
    const left = () => database.query('select from read.pix_codes where tenant_id = $1', [trainer.tenantId]);
    expect((await left()).length).toBe(1);
    later(24 * 60 + 1);
    await visited();
    await eventually(async () => (await left()).length, 0);
  });

  it('and does not answer when the code ends is called for another day: a payment that it reports then is recorded', async () => {
    await connect();
    const id = await issue();
    await visited();
    provider.fault = () => ({ status: 503 });
    await trainer.api.delete('/settings/pix/provider');
    await visited();
    provider.pay(account, providerTxid(id, 0));
    clock.at = new Date('2026-12-26T12:00:00Z');
    await visited();
    provider.fault = undefined;
    later(2);
    await visited();
    await eventually(async () => (await get(id)).situacao, 'paga');
  });
});

describe('a provider that replaces another one', () => {
  const replace = (by: TestAccount) => {
    const { clientId, clientSecret } = by;
    const ids = { client_id: clientId, client_secret: clientSecret };
    return trainer.api.put('/settings/pix/provider', bodyOf(account, ids));
  };

  it('keeps its own result when a former connection answers late', async () => {
    await connect();
    const { id: former } = (await shown())!;
    await connect({ url_api: `${provider.urlApi}/` });
    const after = await shown();
    const failure = new ProviderFailure('api', 'conexao');
    const connection = { connection_id: former } as Connection;
    await app.nest.get(CodeTurns).note(trainer.tenantId, connection, clock.now(), failure);
    expect(await shown()).toEqual(after);
  });

  it('gets new codes, and the former ones are removed with the former credentials', async () => {
    await connect();
    const [id, cancelled] = [await issue(), await issue()];
    await visited();
    const other = provider.account();
    await replace(other);
    await trainer.api.post(`/charges/${cancelled}/cancel`);
    await visited();
    const removed = 'REMOVIDA_PELO_USUARIO_RECEBEDOR';
    expect([statusOf(id), statusOf(cancelled)]).toEqual([removed, removed]);
    expect(other.cobs.get(providerTxid(id, 1))?.status).toBe('ATIVA');
    expect(other.cobs.get(providerTxid(cancelled, 1))?.status ?? removed).toBe(removed);
  });

  it.each(['at once', 'after it was disconnected'])(
    'with renewed credentials, %s: an earlier payment is recorded although its notice was lost',
    async (how) => {
      await connect();
      const id = await issue();
      await visited();
      provider.pay(account, providerTxid(id, 0));
      account.clientSecret = 'renovado';
      provider.expireTokens();
      if (how !== 'at once') {
        await trainer.api.delete('/settings/pix/provider');
        await visited();
      }
      await replace(account);
      await visited();
      await eventually(async () => (await get(id)).situacao, 'paga');
      expect((await arrivals()).length).toBe(1);
    },
  );

  it.each(['before', 'after'])(
    'waits a day for one that does not answer before it makes another code, and calls it for each code, %s one for which it still does not answer',
    async (order) => {
      await connect();
      // Charges that are due at the same time are processed in the order of their ids.
      const ids = [await issue(), await issue()].sort();
      const [paid, lost] = order === 'before' ? ids : ids.reverse();
      await visited();
      provider.pay(account, providerTxid(paid!, 0));
      const former = account;
      const other = provider.account();
      let isDown = (_path: string) => true;
      provider.fault = ({ clientId, path }) =>
        clientId === former.clientId && isDown(path) ? { status: 503 } : undefined;
      await replace(other);
      await visited();
      expect((await get(paid!)).provedor?.falha).toContain('a conexão anterior não respondeu');
      expect([other.cobs.size, (await shown())?.falha]).toEqual([0, null]);
      isDown = (path) => !path.endsWith(providerTxid(paid!, 0));
      later(24 * 60 + 1);
      await visited();
      await eventually(async () => (await get(paid!)).situacao, 'paga');
      expect(other.cobs.get(providerTxid(lost!, 1))?.status).toBe('ATIVA');
    },
  );

  it('that refuses access: payments of the former codes are still recorded', async () => {
    await connect();
    // Charges that are due at the same time are processed in the order of their ids.
    const [first, paid] = [await issue(), await issue()].sort();
    await visited();
    provider.pay(account, providerTxid(paid!, 0));
    const other = provider.account();
    provider.fault = ({ clientId }) => (clientId === other.clientId ? { status: 503 } : undefined);
    await replace(other);
    await visited();
    await eventually(async () => (await get(paid!)).situacao, 'paga');
    expect((await get(first!)).provedor?.falha).toContain('503');
  });

  it('gets its day to answer although another error has lasted longer', async () => {
    await connect();
    const id = await issue();
    await visited();
    provider.fault = () => ({ status: 503 });
    later(15);
    await visited();
    later(24 * 60);
    provider.pay(account, providerTxid(id, 0));
    const former = account;
    const other = provider.account();
    provider.fault = ({ clientId }) => (clientId === former.clientId ? { status: 503 } : undefined);
    await replace(other);
    await visited();
    expect((await get(id)).provedor?.falha).toContain('a conexão anterior não respondeu');
    provider.fault = undefined;
    later(3 * 60 + 1);
    await visited();
    await eventually(async () => (await get(id)).situacao, 'paga');
  });
});

describe('a provider that fails', () => {
  const problemOf = async (id: string) => (await get(id)).provedor;

  it.each([
    ['an error', { status: 503 }, 'na API, o provedor está com um erro (503, ServicoIndisponivel)'],
    ['no permission', { status: 403, type: 'AcessoNegado' }, expect.stringContaining('peça as permissões')],
    ['garbage', 'garbage' as const, 'na API, a resposta não é a da API Pix'],
    [
      'another amount',
      (cob: object) => ({ ...cob, valor: { original: '1.00' } }),
      'na API, a resposta veio com outro valor, outra chave ou outra cobrança',
    ],
    [
      'another code',
      (cob: object) => ({ ...cob, txid: 'X'.repeat(30) }),
      expect.stringContaining('outra cobrança'),
    ],
    [
      'a code with wrong check digits',
      (cob: { pixCopiaECola: string }) => ({ ...cob, pixCopiaECola: `${cob.pixCopiaECola.slice(0, -1)}!` }),
      'na API, a resposta não é a da API Pix',
    ],
    ...[300_000_000_000, 9_000_000_000_000_000].map(
      (expiracao) =>
        [
          `a code that can be paid for ${expiracao} seconds`,
          (cob: TestCob) => ({ ...cob, calendario: { ...cob.calendario, expiracao } }),
          'na API, a resposta não é a da API Pix',
        ] as const,
    ),
    [
      'a code from the year 0',
      (cob: TestCob) => ({ ...cob, calendario: { ...cob.calendario, criacao: '0000-01-01T00:00:00Z' } }),
      'na API, a resposta não é a da API Pix',
    ],
  ])(
    'with %s leaves the code of the key, shows the reason, and makes the code later',
    async (_name, fault, falha) => {
      await connect();
      await visited();
      provider.fault = ({ method }) => (method === 'PUT' ? fault : undefined);
      const id = await issue();
      await visited();
      expect(await get(id)).toMatchObject({
        pix: expect.stringContaining(KEY.chave),
        provedor: { fez: false, falha },
      });
      expect(await shown()).toMatchObject({ codigos: 0, falharam: 1 });
      provider.fault = undefined;
      const asked = provider.asked.length;
      await visited();
      expect(provider.asked).toHaveLength(asked);
      later(2);
      await app.nest.get(ProviderCodesJob).visitDue();
      await followed(database);
      expect(await problemOf(id)).toEqual({ fez: true, falha: null });
      expect(await shown()).toMatchObject({ falha: null, codigos: 1, falharam: 0 });
    },
  );

  it('by refusing access is called once for all charges', async () => {
    await connect();
    await visited();
    provider.fault = () => ({ status: 503 });
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) ids.push(await issue());
    await visited();
    later(2);
    provider.asked = [];
    await visited();
    // Or twice, if an earlier visit is late.
    expect(provider.asked.length).toBeLessThanOrEqual(2);
    for (const id of ids) expect((await problemOf(id))?.falha).toContain('503');
  });

  it('because its token has expired is asked for another one, once', async () => {
    await connect();
    await visited();
    const given = provider.tokensGiven;
    provider.expireTokens();
    const id = await issue();
    await visited();
    expect([provider.tokensGiven, await problemOf(id)]).toEqual([given + 1, { fez: true, falha: null }]);
  });

  it('whose answer was lost: the code that it made is used, and changed if needed', async () => {
    await connect();
    await visited();
    provider.fault = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
    const id = await issue();
    await visited();
    expect(await problemOf(id)).toEqual({ fez: false, falha: 'na API, o servidor não respondeu' });
    provider.fault = undefined;
    await trainer.api.patch(`/charges/${id}`, { valor: 50_000 });
    await visited();
    expect([account.cobs.size, cobOf(id)!.valor.original, await problemOf(id)]).toEqual([
      1,
      '500.00',
      { fez: true, falha: null },
    ]);
    expect((await get(id)).pix).toBe(cobOf(id)!.pixCopiaECola);
  });

  it('whose code pays to a former key: the code is removed, and another one made', async () => {
    await connect();
    await visited();
    provider.fault = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
    const id = await issue();
    await visited();
    provider.fault = undefined;
    await trainer.api.put('/settings/pix', { ...KEY, chave: 'outra@exemplo.com.br' });
    await visited();
    expect([statusOf(id), cobOf(id, 1)!.chave]).toEqual([
      'REMOVIDA_PELO_USUARIO_RECEBEDOR',
      'outra@exemplo.com.br',
    ]);
    expect(await problemOf(id)).toEqual({ fez: true, falha: null });
  });

  it('because the txid was used already: the next one is used, and payments to the former are recorded', async () => {
    await connect();
    await visited();
    provider.fault = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
    const id = await issue();
    await visited();
    provider.pay(account, providerTxid(id, 0), '100.00');
    provider.fault = undefined;
    later(2);
    await visited();
    expect(await get(id)).toMatchObject({ falta: 50_000, provedor: { fez: true, falha: null } });
    expect(cobOf(id, 1)).toMatchObject({ status: 'ATIVA', valor: { original: '500.00' } });
  });

  it('shows the trainer none of the credentials, but the result of the test', async () => {
    const body = await connect();
    expect(body.status).toBe(200);
    await eventually(async () => (await shown())?.falha, null);
    const everything = JSON.stringify([
      ...(await database.query('select to_jsonb(e) as e from events e where tenant_id = $1', [
        trainer.tenantId,
      ])),
      ...(await database.query('select to_jsonb(p) as p from read.pix_providers p where tenant_id = $1', [
        trainer.tenantId,
      ])),
      await shown(),
    ]);
    for (const secret of [account.clientId, account.clientSecret, provider.urlToken])
      expect(everything).not.toContain(secret);
    await connect({ client_secret: 'errado' });
    await eventually(
      async () => (await shown())?.falha,
      'no endereço do token, o Client ID ou o Client Secret foi recusado',
    );
    await connect({ url_api: `${provider.origin}/elsewhere` });
    await eventually(
      async () => (await shown())?.falha,
      'na API, o provedor recusou o pedido (404, NaoEncontrado)',
    );
    await connect();
    await eventually(async () => (await shown())?.falha, null);
    await trainer.api.post('/settings/pix/provider/test');
  });

  it.each([
    ['http://provedor.example/v2'],
    ['https://127.0.0.1/v2'],
    ['https://10.0.0.8/'],
    ['https://localhost/v2'],
    ['https://banco.internal/v2'],
  ])('is refused at %s', async (url_api) => {
    const answer = await trainer.api.request<{ code: string }>('PUT', '/api/v1/settings/pix/provider', {
      body: bodyOf(account, { url_api }),
    });
    expect([answer.status, answer.body.code]).toEqual([422, 'pix_provider.address_refused']);
    expect(await shown()).toBeNull();
  });
});

it('two trainers never share a token or a code', async () => {
  await connect();
  const other = await signUp(app);
  const theirs = provider.account();
  await other.api.put('/settings/pix', KEY);
  const student = (await other.api.post('/students', { nome: 'Bia', telefone: '(11) 98877-6600' })).body.id;
  await other.api.put('/settings/pix/provider', bodyOf(theirs));
  const [own, foreign] = [await issue(), await issue(5_000, other.api, student)];
  await visited();
  await eventually(async () => Promise.resolve(theirs.cobs.size), 1);
  expect([[...account.cobs.keys()], [...theirs.cobs.keys()]]).toEqual([
    [providerTxid(own, 0)],
    [providerTxid(foreign, 0)],
  ]);
  const read = (await other.api.get<ChargeDetail>(`/charges/${foreign}`)).body;
  expect(read.pix).toBe(theirs.cobs.get(providerTxid(foreign, 0))!.pixCopiaECola);
  // A notice with another trainer's code settles nothing.
  await tell(provider.pay(account, providerTxid(own, 0)), other);
  await followed(database);
  expect([(await get(own)).pagamentos, (await arrivals()).length]).toEqual([[], 0]);
});

describe('a call to a provider', () => {
  class TestClient extends ApiPixClient {
    declare mostMs: number;
  }
  const clientFor = (pixTestOrigin: string | undefined) =>
    new TestClient(Object.assign(new Config(), { pixTestOrigin }));
  const failureOf = async (client: ApiPixClient, more: object = {}) => {
    const connection = { connection_id: 'one', ...(bodyOf(account, more) as NewPixProvider) };
    const failure: unknown = await client.check(connection).catch((error: unknown) => error);
    return failure instanceof ProviderFailure ? failure.code : failure;
  };
  const failing = (pixTestOrigin: string | undefined, more: object = {}) =>
    failureOf(clientFor(pixTestOrigin), more);

  it('that never ends, for the token or the API, ends after its time limit', async () => {
    const client = clientFor(provider.origin);
    // With the token that it gets here, only the calls that never end have the short limit.
    expect(await failureOf(client)).toBeUndefined();
    client.mostMs = 300;
    provider.fault = () => 'hang';
    expect(await failureOf(client)).toBe('api tempo');
    provider.fault = () => 'drip';
    expect(await failureOf(client)).toBe('api tempo');

    const withoutToken = clientFor(provider.origin);
    withoutToken.mostMs = 300;
    provider.fault = () => 'hang';
    expect(await failureOf(withoutToken)).toBe('token tempo');
  });

  it('with a long answer is not read to its end, nor is a long token stored', async () => {
    const long = () => ({ cobs: ['x'.repeat(600_000)] });
    provider.fault = ({ path }) => (path === '/oauth/token' ? undefined : long);
    expect(await failing(provider.origin)).toBe('api tamanho');
    provider.tokenLength = 10_001;
    expect(await failing(provider.origin)).toBe('token tamanho');
  });

  it('reaches no other address of this machine, and follows no redirect', async () => {
    expect(await failing(undefined)).toBe('token endereco');
    expect(await failing(provider.origin, { url_api: 'https://127.0.0.1/v2' })).toBe('api endereco');
    provider.fault = ({ path }) => (path === '/oauth/token' ? undefined : { status: 302 });
    expect(await failing(provider.origin)).toBe('api resposta 302 ServicoIndisponivel');
    provider.fault = () => 'garbage';
    expect(await failing(provider.origin)).toBe('token formato');
    provider.fault = () => ({ status: 600 });
    expect(await failing(provider.origin)).toBe('token formato');
  });
});
