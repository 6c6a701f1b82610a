import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import type { PaymentPage } from '../../backend/modules/charges/payment-page.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { expectDeadLinks, expectPreview, writtenPage } from '../support/written-page.js';

const clock = new SetClock(new Date());
let trainer: Trainer;
let studentId: string;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date('2026-11-21T12:00:00Z');
  trainer = await signUp(app);
  const ana = { nome: 'Ana Prado', whatsapp: '(11) 98877-6655' };
  studentId = (await trainer.api.post('/students', ana)).body.id;
});

const issue = async (more: object = {}) =>
  (
    await trainer.api.post('/charges', {
      student_id: studentId,
      descricao: 'Pacote 10',
      valor: 60_000,
      vencimento: '2026-11-25',
      ...more,
    })
  ).body.id;
const get = async (id: string) => (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
const pay = async (id: string, valor: number) =>
  (
    await trainer.api.post<{ payment_id: string }>(`/charges/${id}/payments`, {
      valor,
      data: '2026-11-20',
      metodo_pagamento: 'pix',
    })
  ).body;

describe('the payment page', () => {
  const stranger = () => new Client(app.url);
  const tokenOf = async (id: string) => (await get(id)).link!.split('/').at(-1)!;
  const show = async (token: string) =>
    stranger().request<PaymentPage & ProblemBody>('GET', `/api/v1/pay/${token}`);
  const openPage = async (token: string) => {
    // Strangers have no position to wait for: the trainer's read waits for what was written.
    await trainer.api.get('/charges');
    return writtenPage(app, `/pagar/${token}`);
  };

  it('shows what is due and how to pay it, and no other data of the person', async () => {
    const id = await issue();
    const token = await tokenOf(id);
    expect((await show(token)).body.pix).toBeNull();
    await trainer.api.put('/settings/pix', {
      tipo: 'telefone',
      chave: '(11) 94321-4321',
      nome: 'Carla Souza',
      cidade: 'São Paulo',
    });
    await trainer.api.put('/settings/receipts', {
      nome: 'Carla Souza ME',
      documento: '529.982.247-25',
      cref: null,
      cidade: 'São Paulo',
    });
    await pay(id, 15_000);
    expect((await get(id)).falta).toBe(45_000);
    const { status, body } = await show(token);
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual(
      [
        'personal',
        'adiante',
        'primeiro_nome',
        'descricao',
        'valor',
        'pago',
        'falta',
        'hoje',
        'pedido',
        'vencimento',
        'situacao',
        'avisada',
        'pagamentos',
        'pix',
        'versao',
      ].toSorted(),
    );
    expect(body).toMatchObject({ primeiro_nome: 'Ana', falta: 45_000, situacao: 'aberta' });
    expect(body.pagamentos).toEqual([{ valor: 15_000, data: '2026-11-20', recibo: null }]);
    expect(body.pix).toMatchObject({ nome: 'Carla Souza', documento: 'CPF ***.982.247-**', banco: null });
    expect(body.pix?.codigo).toMatch(/0114\+5511943214321.*5406450\.00.*5911Carla Souza6009Sao Paulo/);
    const { text } = await openPage(token);
    for (const shown of [JSON.stringify(body), text]) expect(shown).not.toMatch(/Prado|98877|247-?25/);
  });

  it('is a document that says who is paid what, for what, and how', async () => {
    const { personal } = (await show(await tokenOf(await issue()))).body;
    await trainer.api.put('/settings/pix', {
      tipo: 'cpf',
      chave: '529.982.247-25',
      nome: 'Carla Souza',
      cidade: 'São Paulo',
      banco: ' Nubank <b> ',
    });
    const descricao = 'Pacote <b>10</b> & "mais"';
    const token = await tokenOf(await issue({ descricao }));
    const { status, headers, text, words } = await openPage(`${token}?fbclid=abc&utm_source=whatsapp`);
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self';"),
      'referrer-policy': 'no-referrer',
    });
    for (const said of [
      'Olá, Ana!',
      `${personal} enviou esta cobrança`,
      'R$\u00a0600,00',
      'Vence em 25/11/2026',
      'Pacote &lt;b&gt;10&lt;/b&gt; &amp; &quot;mais&quot;',
      'Carla Souza CPF ***.982.247-** Banco Nubank &lt;b&gt;',
      'Abra o app do seu banco , em Pix copia e cola',
      'Já paguei',
      'Selecione o código inteiro e copie.',
      'ative o JavaScript deste navegador',
    ])
      expect(words).toContain(said);
    expect(words).toContain(` ${(await show(token)).body.pix!.codigo} `);
    expect(text).toMatch(/<svg role="img" aria-label="QR Code do Pix" /);
    expect(text).not.toMatch(/<b>10|<style|style="/);
  });

  it('has a preview that tells no more than the page, and neither the code nor the link', async () => {
    await trainer.api.put('/settings/pix', {
      tipo: 'email',
      chave: 'carla@exemplo.com.br',
      nome: 'Carla Souza',
      cidade: 'São Paulo',
    });
    const id = await issue();
    const token = await tokenOf(id);
    const { personal } = (await show(token)).body;
    const expectShown = async (title: string, description: string) => {
      const page = await openPage(token);
      expectPreview(page, token, title, description);
      expect(page.text.slice(0, page.text.indexOf('<body'))).not.toMatch(/Prado|br\.gov\.bcb|carla@/i);
    };
    await expectShown(`${personal} · Pix de R$\u00a0600,00`, 'Pacote 10 · Vence em 25/11/2026');
    clock.at = new Date('2026-11-26T12:00:00Z');
    await expectShown(`${personal} · Pix de R$\u00a0600,00`, 'Pacote 10 · Venceu em 25/11/2026');
    await pay(id, 20_000);
    await expectShown(`${personal} · Pix de R$\u00a0400,00`, 'Pacote 10 · Venceu em 25/11/2026');
    await pay(id, 40_000);
    await expectShown(`Pagamento confirmado · ${personal}`, 'Recebemos R$\u00a0600,00 · Pacote 10');
  });

  it('has words for each state, and another version in each', async () => {
    const id = await issue();
    const token = await tokenOf(id);
    const { personal } = (await show(token)).body;
    const versions = new Set<string>();
    const expectWords = async (...said: string[]) => {
      const { words, text } = await openPage(token);
      for (const each of said) expect(words).toContain(each);
      const { versao } = (await show(token)).body;
      expect(text).toContain(`data-version="${versao}"`);
      versions.add(versao);
      return words;
    };
    const noKey = await expectWords(`Combine a forma de pagamento com ${personal}.`, 'Já paguei');
    expect(noKey).not.toContain('Copiar código Pix');
    await trainer.api.put('/settings/pix', {
      tipo: 'cnpj',
      chave: '11.222.333/0001-81',
      nome: 'Carla Souza',
      cidade: 'São Paulo',
    });
    await expectWords('Copiar código Pix', 'CNPJ **.222.333/0001-**');
    clock.at = new Date('2026-11-26T12:00:00Z');
    await expectWords('Venceu em 25/11/2026. Ainda dá para pagar por aqui.');
    await pay(id, 20_000);
    await expectWords(
      'Falta pagar R$\u00a0400,00',
      'Recebemos R$\u00a0200,00 de R$\u00a0600,00. Falta pagar R$\u00a0400,00.',
    );
    const { payment_id } = await pay(id, 40_000);
    const paid = await expectWords(
      'Pagamento confirmado Recebemos R$\u00a0600,00',
      `Ana, o pagamento chegou a ${personal}.`,
      'Recebido em 20/11/2026 R$\u00a0200,00',
      `Se precisar de um recibo, peça a ${personal}.`,
    );
    expect(paid).not.toMatch(/Copiar|Já paguei|Ver recibo/);
    await trainer.api.put('/settings/receipts', {
      nome: 'Carla Souza',
      documento: '529.982.247-25',
      cref: null,
      cidade: 'São Paulo',
    });
    const issueReceipt = async (payment: number) => {
      const { transaction_id } = (await get(id)).pagamentos[payment]!;
      const about = {
        nome: 'Ana Prado',
        cpf: null,
        descricao: 'Pacote',
        de: '2026-11-20',
        ate: '2026-11-20',
      };
      await trainer.api.post(`/transactions/${transaction_id}/receipt`, about);
    };
    await issueReceipt(0);
    await expectWords('R$\u00a0200,00 · Ver recibo', `Se precisar de um recibo, peça a ${personal}.`);
    await issueReceipt(1);
    expect(await expectWords('R$\u00a0400,00 · Ver recibo')).not.toContain('Se precisar de um recibo');
    const receipts = [...(await openPage(token)).text.matchAll(/href="(\/recibo\/[^"]+)"/g)];
    const pages = await Promise.all(receipts.map(([, path]) => writtenPage(app, path!)));
    expect(pages.map(({ metas }) => metas['og:title'])).toEqual([
      'Recibo de R$\u00a0200,00 · Carla Souza',
      'Recibo de R$\u00a0400,00 · Carla Souza',
    ]);
    const { at } = clock;
    clock.at = new Date('2027-02-19T12:00:00Z');
    expect((await openPage(token)).words).not.toContain('Ver recibo');
    clock.at = at;
    await trainer.api.post(`/charges/${id}/payments/${payment_id}/reverse`);
    await expectWords('Falta pagar R$\u00a0400,00', 'Recebido em 20/11/2026 R$\u00a0200,00 · Ver recibo');
    expect(versions.size).toBe(8);
    const other = await issue();
    const cancelled = await tokenOf(other);
    await trainer.api.post(`/charges/${other}/cancel`);
    expect((await openPage(cancelled)).words).toContain(
      `Cobrança cancelada Não é preciso pagar. Em caso de dúvida, fale com ${personal}.`,
    );
  });

  it('tells the trainer once that the charge was paid', async () => {
    const id = await issue();
    const token = await tokenOf(id);
    const claim = () => stranger().request('POST', '/api/v1/pay/claim', { body: { token } });
    expect([(await claim()).status, (await claim()).status]).toEqual([200, 200]);
    // A write without a sign-in gives the trainer's reads no position to wait for.
    await eventually(
      async () => (await get(id)).situacao === 'aberta' && (await get(id)).avisada_em !== null,
      true,
    );
    expect((await show(token)).body.avisada).toBe(true);
    const { words } = await openPage(token);
    expect(words).toMatch(/Aviso enviado\. .* confirma assim que o pagamento aparecer\./);
    expect(words).not.toContain('Já paguei');
    const [{ n }] = (await database.query<{ n: number }>(
      `select count(*)::int as n from events where type = 'ChargePaymentClaimed' and data ->> 'charge_id' = '${id}'`,
    )) as [{ n: number }];
    expect(n).toBe(1);
  });

  it('is not available once its link was replaced, and answers invented links in the same way', async () => {
    const id = await issue();
    const before = await tokenOf(id);
    await trainer.api.post(`/charges/${id}/link`);
    const after = await tokenOf(id);
    expect(after).not.toBe(before);
    const [replaced, made] = [await show(before), await show('abc')];
    expect([replaced.status, made.status, (await show(after)).status]).toEqual([404, 404, 200]);
    expect(replaced.body.code).toBe(made.body.code);
    await expectDeadLinks(app, '/pagar', before, `${after}/x`);
    // As people may type it.
    expect((await openPage(`${after}/`)).words).toContain('Olá, Ana!');
    const stored = await database.query<{ row: string }>(
      `select l::text as row from charge_links l union all select data::text from events`,
    );
    expect(stored.filter(({ row }) => row.includes(after))).toEqual([]);
  });
});
