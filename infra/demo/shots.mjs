// `npm run shots -- <e-mail> <password>`: takes screenshots of every route of a running instance (RENDE_URL,
// http://localhost:3000 by default), and of everything that opens over a page (`sheets.mjs`), in phone and desktop size, in
// both themes, into `shots/`.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../start/folder.mjs';
import { fail, ExpectedError } from '../start/expected-error.mjs';
import { Api } from './api.mjs';
import { onboarding } from './business.mjs';
import { newAccount } from './people.mjs';
import { formOf, overlays, signedOut, withoutAnswers } from './sheets.mjs';
import { shootVisitors } from './visitor-shots.mjs';
import { launch, openWindow } from './window.mjs';

const [email, password] = process.argv.slice(2);
const url = process.env.RENDE_URL || 'http://localhost:3000';
const folder = path.join(root, 'shots');
const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const openToAll = ['/auth', '/auth?aba=cadastro', '/termos', '/aceitar/nao-existe', '/nao-existe'];
/** Addresses that open something over a page, or another mode of a page. */
const opened = [
  '/agenda?novo=agendamento',
  '/agenda?modo=semana',
  '/agenda?modo=mes',
  '/agenda?modo=ano',
  '/agenda?ver=tarefas',
  '/financeiro?novo=lancamento',
  '/?buscar',
];

try {
  if (!email || !password)
    throw new ExpectedError('uso: npm run shots -- <e-mail> <senha>, com os dados que npm run demo mostra.');
  const browser = await launch();
  try {
    for (const size of sizes) await shoot(browser, size);
  } finally {
    await browser.close();
  }
  console.log(`As telas estão em ${folder}.`);
} catch (error) {
  fail(error);
}

async function shoot(browser, viewport) {
  const { page, take, visit, open, deprive, signIn, close } = await openWindow(browser, {
    url,
    folder,
    viewport,
  });
  for (const address of openToAll) await visit(address);
  const gallery = await page.goto('/dev/ui');
  if (gallery.ok()) await visit('/dev/ui');
  else console.log('Sem /dev/ui: essa página só existe com NODE_ENV=development npm start.');
  for (const each of signedOut) await open(...each);
  await signIn({ email, password });
  await page.goto('/alunos');
  const student = await page.locator('main li a[href^="/alunos/"]').first().getAttribute('href');
  // From here on the agenda opens in day mode.
  await page.goto('/agenda?modo=dia');
  await page.getByRole('heading').first().waitFor();
  for (const address of [...(await trainerRoutes(student)), ...opened]) await visit(address);
  for (const each of overlays(student)) await open(...each);
  for (const each of withoutAnswers) await deprive(...each);

  await page.goto('/');
  await page.getByRole('button', { name: 'Ações rápidas' }).click();
  await take('acoes');
  await page.goto('/');
  await page.getByRole('heading', { name: /^Olá, / }).waitFor();
  await page.context().setOffline(true);
  await page.getByText('Sem internet.').waitFor();
  await take('sem-rede');
  await page.getByRole('link', { name: 'Financeiro' }).filter({ visible: true }).click();
  await page.waitForTimeout(1000);
  await take('sem-rede-financeiro');
  await close();
  await shootNewcomers(browser, viewport);
  await shootVisitors(browser, { url, folder, viewport });
}

/** Screenshots of a new trainer, and of a student whom that trainer invited. */
async function shootNewcomers(browser, viewport) {
  const api = new Api(url);
  const trainer = newAccount('Bruna Novata');
  await api.signUp(trainer);
  const first = await openWindow(browser, { url, folder, viewport });
  await first.signIn(trainer);
  await first.page.getByRole('button', { name: 'Começar Configuração' }).waitFor();
  await first.take('comeco');
  await first.page.getByRole('button', { name: 'Começar Configuração' }).click();
  for (const answer of ['12', 'presencial']) {
    await first.page.getByPlaceholder('Digite sua resposta...').fill(answer);
    await first.page.keyboard.press('Enter');
    await first.page.waitForTimeout(800);
  }
  await first.take('perguntas');
  await api.write('POST', '/onboarding', onboarding);
  for (const address of ['/', '/agenda', '/alunos', '/financeiro', '/planos', '/locais']) {
    await first.page.goto(address);
    await first.page.getByRole('heading').first().waitFor();
    await first.take(`vazio${address.replace('/', '-')}`);
  }
  await first.close();

  const student = await api.write('POST', '/students', {
    nome: 'Caio Convidado',
    whatsapp: '(11) 97777-0000',
  });
  const inicio = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 86_400_000);
  const fim = new Date(inicio.getTime() + 3_600_000);
  await api.write('POST', '/sessions', { student_id: student.id, inicio, fim });
  const { inviteUrl } = await api.write('POST', `/students/${student.id}/invites`);
  const invite = new URL(inviteUrl).pathname;
  const second = await openWindow(browser, { url, folder, viewport });
  await second.page.goto(invite);
  await second.page.getByRole('heading').first().waitFor();
  await second.take('convite', { fullPage: true });
  const account = {
    ...newAccount('Caio Convidado'),
    data: { nome: 'Caio', convite: invite.split('/').at(-1) },
  };
  await new Api(url).signUp(account);
  await second.signIn(account);
  const [{ tenant_id }] = (await api.read('/me')).memberships;
  // Without a contract's page, because the trainer has sent no contract.
  const own = (await routes('studentPages')).filter((route) => !route.endsWith(':id'));
  for (const route of own) await second.visit(route.replace(':personalId', tenant_id));
  await second.close();
}

/** The routes of the router's table `pages`. */
async function routes(pages) {
  const source = await readFile(path.join(root, 'frontend/src/app/pages.ts'), 'utf8');
  const [, own] = new RegExp(`${pages}(?:: Pages)? = \\{([^}]*)\\}`).exec(source);
  return [...own.matchAll(/'(\/[^']*)':/g)].map(([, route]) => route);
}

async function trainerRoutes(student) {
  return (
    (await routes('trainerPages'))
      // A contract's pages are opened from the list, in `overlays`.
      .filter((route) => !/contratos-termos\/.*:id/.test(route))
      .map((route) => route.replace('/alunos/:id', student).replace('/alunos/edit/:id', formOf(student)))
  );
}
