import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consents, type RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import { studentAccount } from '../accounts/own-data.js';
import type { TestApp } from '../support/app.js';
import { axeFindings } from '../support/axe.js';
import { openScreen, type Screen } from '../support/browser.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { expectToLookWell, openLightly } from '../support/written-screen.js';
import { goLive, signedInWindow } from './trainer-screen.js';

const CPF = '529.982.247-25';
/** Of what a signing link opens. */
const LIMIT_KB = 60;

/** The offline cache of this device, as text. Opening a database that does not exist yet would create an empty one. */
const kept = (page: Page) =>
  page.evaluate<string>(`(async () => {
    const read = (request) => new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
    if (!(await indexedDB.databases()).some(({ name }) => name === 'rende-kept')) return '';
    const database = await read(indexedDB.open('rende-kept'));
    const isMade = database.objectStoreNames.contains('reads');
    const all = isMade ? await read(database.transaction('reads').objectStore('reads').getAll()) : [];
    database.close();
    return JSON.stringify(all);
  })()`);

describeWithChromium('a contract', () => {
  let app: TestApp;
  let trainer: Trainer;
  let caio: string;
  let account: Awaited<ReturnType<typeof studentAccount>>;
  const nome = 'Bia Lima';
  const email = 'bia-do-contrato@exemplo.com.br';
  let own: Screen;
  let guardian: Screen;
  let caios: Screen;
  let token: string;

  /** Sends Caio a contract with this text. Returns the ids of the contract and of his signature request. */
  const sendToCaio = async (titulo: string, conteudo: string) => {
    const { id } = (await trainer.api.post('/contracts', { titulo, conteudo })).body;
    await trainer.api.post(`/contracts/${id}/send`, { alunos: [caio], canal: 'link' });
    const requests = await trainer.api.get<RequestPage>(`/contracts/${id}/requests`);
    return { contractId: id, requestId: requests.body.items[0]!.id };
  };
  const openAsCaio = async (options: Parameters<typeof openScreen>[1]) => {
    const { email, password } = account.person;
    const { body } = await new Client(app.url).request('POST', '/auth/v1/token', {
      query: { grant_type: 'password' },
      body: { email, password },
    });
    return openScreen(app, { ...options, stored: { 'rende.auth': JSON.stringify(body) } });
  };
  const toTheEnd = (page: Page) => page.getByRole('region', { name: 'Texto do contrato' }).press('End');

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app, { nome: 'Carla Dias' });
    caio = (await trainer.api.post('/students', { nome: 'Caio Reis', whatsapp: '(11) 94321-4322' })).body.id;
    account = await studentAccount(app, trainer, caio, 'Caio Reis');
    await trainer.api.post('/students', { nome, whatsapp: '(11) 94321-4321', email });
    own = await signedInWindow(app, trainer);
    guardian = await openScreen(app);
  });

  it('is created from a template, and sent from a sheet that "back" closes', async () => {
    const { page } = own;
    await goLive(page, '/ajustes/contratos-termos/novo');
    await page.getByRole('button', { name: 'Contrato de prestação de serviço' }).click();
    await page.getByRole('textbox', { name: 'Texto do contrato' }).getByText('1. Partes').waitFor();
    await page.getByLabel('Pedir um código por e-mail para assinar').check();
    await page.getByLabel('Pedir a data de nascimento').check();
    await page.getByRole('button', { name: 'Criar contrato' }).click();
    const open = page.getByRole('button', { name: 'Enviar para assinar' });
    await open.click();
    await page.getByLabel(nome).waitFor();
    const address = page.url();
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(page.url()).toBe(address);
    await open.click();
    await page.getByLabel(nome).check();
    await page.getByRole('button', { name: 'Enviar para 1 aluno' }).click();
    const whatsApp = page.getByRole('link', { name: `Enviar WhatsApp a ${nome}` });
    const text = decodeURIComponent((await whatsApp.getAttribute('href'))!);
    token = /\/assinar\/(\S+)/.exec(text)![1]!;
    expect(await axeFindings(page)).toEqual([]);
  });

  it("is signed by a minor's guardian, after it was read and the mailed code was confirmed", async () => {
    const { page, complaints } = guardian;
    // By address, because the open page looks again every ten seconds.
    const found = new Map<string, number>();
    page.on('response', (answer) => {
      void answer.body().then(
        (body) => found.set(answer.url(), gzipSync(body).length / 1000),
        () => undefined,
      );
    });
    await page.goto(`/assinar/${token}`);
    await page.getByText('Aguardando Assinatura').waitFor();
    const sign = page.getByRole('button', { name: 'Assinar contrato' });
    expect(await sign.isDisabled()).toBe(true);
    await page.context().setOffline(true);
    await page.getByText('Para assinar, é preciso estar conectado.').waitFor();
    await page.getByText('1. Partes').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Para assinar, é preciso estar conectado.').waitFor({ state: 'hidden' });
    await page.getByText('Leia o texto até o fim para assinar.').waitFor();
    expect(found.size).toBeLessThanOrEqual(6);
    expect([...found.values()].reduce((sum, kilobytes) => sum + kilobytes, 0)).toBeLessThan(LIMIT_KB);
    await page.getByRole('heading', { name: 'Seus dados' }).scrollIntoViewIfNeeded();
    await page.getByText('Confirme o código enviado por e-mail para assinar.').waitFor();
    expect(await page.getByLabel('Nome completo do aluno *').inputValue()).toBe(nome);
    await page.getByLabel('Data de nascimento do aluno *').fill('04/05/2020');
    await page.getByLabel('CPF do aluno *').fill(CPF);
    await page.getByLabel('Nome completo do responsável *').fill('Márcia Lima');
    await page.getByLabel('CPF do responsável *').fill('111.444.777-35');
    await page.getByLabel('Data de nascimento do responsável *').fill('10/06/1985');
    await page.getByLabel('Relação com o aluno *').fill('Mãe');
    await page.getByLabel('Telefone *').fill('(11) 94321-4321');
    await page.getByRole('button', { name: 'Enviar código' }).click();
    await page.getByLabel('Código do e-mail').fill((await nextMail(email)).code);
    await page.getByRole('button', { name: 'Confirmar código' }).click();
    await page.getByText('Código confirmado').waitFor();
    for (const consent of await page.getByRole('checkbox').all()) await consent.check();
    await expectToLookWell(page);
    const other = await page.context().newPage();
    await other.goto(`/assinar/${token}`);
    await other.getByText('Aguardando Assinatura').waitFor();
    await page.bringToFront();
    await sign.click();
    await page.getByRole('heading', { name: 'Pronto, Márcia.' }).waitFor();
    await page.getByText('Evidências da assinatura').click();
    await page.getByText('Márcia Lima, responsável (Mãe)').waitFor();
    await expectToLookWell(page);
    await other.getByRole('heading', { name: 'Pronto, Márcia.' }).waitFor();
    // The trainer's page is updated without a reload.
    await own.page.getByText('Assinado', { exact: true }).waitFor();
    // From then on, the link asks for the signer's CPF.
    await page.reload();
    await page.getByLabel('CPF de quem assinou').fill('111.444.777-35');
    expect(await page.getByText(/Márcia|111\.444/).count()).toBe(0);
    await expectToLookWell(page);
    await page.getByRole('button', { name: 'Ver contrato' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar PDF' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^contrato-.*\.pdf$/);
    expect(complaints).toEqual([]);
  });

  it('is signed by a student in the own area', async () => {
    const titulo = 'Termo de responsabilidade, saúde e autorização de uso de imagem';
    const { requestId } = await sendToCaio(titulo, '<p>Eu, {{aluno}}, CPF {{cpf}}.</p>');
    caios = await openAsCaio({});
    const { page } = caios;
    // A student who opens the trainer's address of contracts is redirected to their own contracts.
    await page.goto('/ajustes/contratos-termos');
    await page.waitForURL('**/aluno/contratos');
    const row = page.getByRole('link', { name: /Termo.*Aguardando Assinatura/ });
    await row.waitFor();
    // The title is not cut off beside the state.
    const hidden = await page.evaluate<number[]>(
      `[...document.querySelectorAll('a span')].filter(({ textContent }) => textContent === '${titulo}')
        .map((title) => title.scrollHeight - title.clientHeight)`,
    );
    expect(hidden).toEqual([0]);
    await row.click();
    await page.waitForURL(`**/aluno/contratos/${requestId}`);
    await toTheEnd(page);
    await page.getByLabel('Nome completo *').fill('Caio Reis');
    await page.getByLabel('CPF *').fill(CPF);
    await page.getByLabel('Telefone *').fill('(11) 94321-4322');
    for (const consent of await page.getByRole('checkbox').all()) await consent.check();
    await page.getByRole('button', { name: 'Assinar contrato' }).click();
    await page.getByRole('heading', { name: 'Pronto, Caio.' }).waitFor();
    await page.getByText('Evidências da assinatura').click();
    await page.getByText('SHA-256 do conteúdo').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.goto('/aluno/contratos');
    await page.getByRole('link', { name: /Termo.*Assinado/ }).waitFor();
  });

  it('has a PDF, which is verified on the device, and distinguished from a modified one', async () => {
    const { requestId } = await sendToCaio('Com PDF', '<p>{{aluno}}</p>');
    const agreed = { consent_data_processing: true, consent_terms: true, consentimento: consents.versao };
    const signature = { nome: 'Caio Reis', cpf: CPF, telefone: '(11) 94321-4322', ...agreed };
    await account.api.post(`/student/signature-requests/${requestId}/sign`, signature);
    const pdf = `/student/signature-requests/${requestId}/pdf`;
    await eventually(async () => (await account.api.request('GET', `/api/v1${pdf}`)).status, 200);
    const { page } = caios;
    await page.goto(`/aluno/contratos/${requestId}`);
    await page.getByText('Evidências da assinatura').click();
    const code = await page.locator('a[href^="/verificar/"]').innerText();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Baixar PDF' }).click(),
    ]);
    const file = await download.path();
    await openLightly(page, `/verificar/${code}`);
    await page.getByText('Assinatura válida').waitFor();
    await expectToLookWell(page);
    const choose = async (path: string) => {
      await page.goto('/verificar');
      await page.getByLabel('Escolher PDF').setInputFiles(path);
    };
    await choose(file);
    await page.getByText('Assinatura válida').waitFor();
    await page.getByText('C. R.').waitFor();
    const changed = `${file}.pdf`;
    await writeFile(changed, Buffer.concat([await readFile(file), Buffer.from('\n')]));
    await choose(changed);
    await page.getByText('Arquivo alterado').waitFor();
    await choose('package.json');
    await page.getByText('Arquivo desconhecido').waitFor();
    await expectToLookWell(page);
    await page.context().close();
  });

  it('can be read offline by its student as last read, but not signed; the device stores no CPF', async () => {
    const { requestId } = await sendToCaio('Para depois', '<h2>1. Guardado</h2><p>{{aluno}}, {{cpf}}</p>');
    const { page } = await openAsCaio({ installs: true });
    await page.goto('/aluno/contratos');
    await page.getByRole('link', { name: /Com PDF.*Assinado/ }).click();
    await page.getByText('Evidências da assinatura').click();
    await page.getByText(CPF).first().waitFor();
    await page.goto(`/aluno/contratos/${requestId}`);
    await page.getByText('1. Guardado').waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    for (const answer of ['1. Guardado', '"estado":"assinado"', 'Para depois'])
      await eventually(async () => (await kept(page)).includes(answer), true);
    expect(await kept(page)).not.toMatch(/529\.982\.247|52998224725|5511943214322/);
    await page.context().setOffline(true);
    await page.goto(`/aluno/contratos/${requestId}`);
    await page.getByText('1. Guardado').waitFor();
    await page.getByText('Para assinar, é preciso estar conectado.').waitFor();
    await toTheEnd(page);
    expect(await page.getByRole('button', { name: 'Assinar contrato' }).isDisabled()).toBe(true);
    await page.goto('/aluno/contratos');
    await page.getByRole('link', { name: /Para depois/ }).waitFor();
    await page.context().close();
  });

  it('shows the changes of a version, and is sent from the page of a student', async () => {
    const { contractId } = await sendToCaio('Duas versões', '<p>Treino de 50 minutos.</p>');
    const { page } = own;
    await trainer.api.patch(`/contracts/${contractId}`, { conteudo: '<p>Treino de 60 minutos.</p>' });
    await trainer.api.get(`/contracts/${contractId}`);
    await goLive(page, `/ajustes/contratos-termos/${contractId}`);
    await page.getByLabel('Comparar com').selectOption({ label: 'Versão 1' });
    await eventually(() => page.locator('del').innerText(), '50');
    await eventually(() => page.locator('ins').innerText(), '60');
    expect(await axeFindings(page)).toEqual([]);
    await goLive(page, `/alunos/${caio}?aba=contratos`);
    await page.getByRole('button', { name: 'Enviar contrato' }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Contrato').selectOption({ label: 'Duas versões (versão 2)' });
    await sheet.getByRole('button', { name: 'Enviar contrato' }).click();
    await page.waitForURL(`**/ajustes/contratos-termos/${contractId}`);
    await page.getByText('Versão 2', { exact: true }).waitFor();
    const requests = async () =>
      (await trainer.api.get<RequestPage>(`/contracts/${contractId}/requests`)).body.items;
    await eventually(
      async () => (await requests()).map(({ versao, estado }) => [versao, estado]),
      [
        [2, 'enviado'],
        [1, 'substituido'],
      ],
    );
  });
});
