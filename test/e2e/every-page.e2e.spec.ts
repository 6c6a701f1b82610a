import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Day, liveADay } from '../proof/day.js';
import type { RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import { browser } from '../accounts/people.js';
import type { TestApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { settle } from '../support/onboarding.js';
import { faults } from '../support/page-faults.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { signIn } from './trainer-screen.js';

/** Addresses that open a sheet or a mode of a page; two successive ones never belong to the same page. */
const sheets = [
  ...['/agenda?novo=agendamento', '/financeiro?novo=lancamento', '/agenda?modo=dia', '/?buscar'],
  ...['/financeiro?consultor=aberto', '/alunos/:id?dossie='],
  ...['/agenda?modo=semana', '/locais?', '/agenda?modo=mes', '/planos?', '/agenda?modo=ano'],
  ...['/agenda?ver=tarefas', '/agenda?novo=tarefa', '/agenda?ver=tarefas&novo=tarefa'],
  ...['/agenda?abrir=horarios', '/alunos?', '/agenda?abrir=ferias'],
  ...['/planos?', '/agenda?abrir=lembretes', '/locais?', '/agenda?abrir=links'],
];
/** Buttons, and what they open over a page. */
const taps: readonly (readonly [address: string, button: string | RegExp, opens: string])[] = [
  ['/', 'Ações rápidas', '#acoes-rapidas'],
  ['/alunos', /^Mais ações de/, '[role=menuitem]'],
  ['/agenda?ver=tarefas', /^Mais ações de Ligar/, '[role=menuitem]'],
  ['/agenda?ver=tarefas', /^Ligar para a Zuleika/, '[role=dialog]'],
  ['/agenda?ver=tarefas', 'Criar nova lista', '[role=dialog] [type=radio]'],
  ['/agenda?novo=agendamento', 'Abrir calendário', 'table'],
  ['/financeiro', /Elásticos/, '[role=dialog]'],
  ['/cobrancas', 'Cobrar', '[role=dialog]'],
  ['/financeiro', 'Ver como estava em…', '[role=dialog]'],
  ['/agenda?novo=agendamento', 'Escolher o horário', '[role=group][aria-label=Hora]'],
  ['/dev/ui', 'Aviso com volta', '[data-sonner-toast] [data-button]'],
];

const phone = { width: 390, height: 844 };
const desk = { width: 1440, height: 900 };

let day: Day;
let trainer: Trainer;
/** A trainer who has not done the onboarding. */
let newcomer: Trainer;
let app: TestApp;
let invite: string;
/** Address of the area of a student without an account. */
let area: string;
/** A future session. */
let booked: string;
const student = { email: `${randomUUID()}@exemplo.com.br`, password: 'Lagoa-Azul-42' };

/** Replaces the ids in a route: of a contract, of a signature request, of the trainer, or of a student. */
const withIds = (path: string) =>
  path
    .replace(/(assinaturas|aluno\/contratos)\/:id/, `$1/${day.requestId}`)
    .replace(':personalId', trainer.tenantId)
    .replace('contratos-termos/:id', `contratos-termos/${day.contractId}`)
    .replace(':id', day.studentId);

/** Every address of the router's table, with ids filled in. */
async function addresses(): Promise<string[]> {
  const files = ['frontend/src/app/trainer-pages.ts', 'frontend/src/app/pages.ts'];
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const paths = [...sources.join('\n').matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, path]) => path!);
  expect(paths).toEqual(expect.arrayContaining(['/agenda', '/aluno']));
  const past = asTheyAre(new Date().toISOString());
  return [...paths.map(withIds), ...sheets.map(withIds), ...past, '/nao-existe'];
}

/** Pages as they were at a moment. */
const asTheyAre = (moment: string): string[] => [
  ...[`/agenda?em=${moment}`, `/alunos/${day.studentId}?em=${moment}`],
  ...[`/agenda?modo=mes&sessao=${booked}&em=${moment}`, `/cobrancas?em=${moment}`],
  ...[`/financeiro?em=${moment}`, '/agenda?abrir=momento'],
];

/** Creates an invite for a student. Returns the address that its page leads to. */
async function inviteOf(studentId: string): Promise<string> {
  const { body } = await trainer.api.post<NewInvite>(`/students/${studentId}/invites`);
  return new URL(body.inviteUrl).pathname.replace('/convite/', '/aceitar/');
}

/** What a printed page should not have: large dark areas, and what is only for the screen. */
const onPaper = `(() => {
  const light = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
    return alpha < 0.5 ? 1 : (0.3 * red + 0.6 * green + 0.1 * blue) / 255;
  };
  return [...document.querySelectorAll('html, body, body *')].flatMap((each) => {
    const { width, height } = each.getBoundingClientRect();
    if (width < 40 || height < 40) return [];
    const name = each.tagName + ' ' + each.className;
    if (light(getComputedStyle(each).backgroundColor) < 0.25) return ['is dark: ' + name];
    return each.matches('nav, [role=tablist], [data-on-screen], [data-sonner-toaster]') ? ['is printed: ' + name] : [];
  });
})()`;

/** Waits until the page is completely loaded. */
async function shown(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

/** Navigates like "back" and "forward", without reloading the application; to another sheet of the same page via another page. */
async function goWithin(page: Page, address: string): Promise<void> {
  const [to, from] = [new URL(address, page.url()), new URL(page.url())];
  if (to.href === from.href) return;
  if (to.pathname === from.pathname) {
    await goWithin(page, '/nao-existe');
    await shown(page);
  }
  await page.evaluate(`(() => {
    document.querySelector('h1, h2').setAttribute('data-before', '');
    history.pushState(null, '', ${JSON.stringify(address)});
    dispatchEvent(new PopStateEvent('popstate'));
  })()`);
  await page.locator('[data-before]').waitFor({ state: 'detached' });
}

describeWithChromium('every page', () => {
  beforeAll(async () => {
    app = await sharedApp();
    [trainer, newcomer] = [await signUp(app), await signUp(app)];
    await settle(trainer.api);
    day = await liveADay(trainer.api);
    const { body } = await trainer.api.post('/students', {
      nome: 'Bento Sem Plano',
      whatsapp: '(11) 91234-5678',
    });
    // The student can only read their own signature request.
    const contract = `/contracts/${day.contractId}`;
    await trainer.api.post(`${contract}/send`, { alunos: [body.id], canal: 'link' });
    const requests = await trainer.api.get<RequestPage>(`${contract}/requests`);
    const own = requests.body.items.find(({ student_id }) => student_id === body.id)!;
    day = { ...day, requestId: own.id };
    const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const book = (inicio: string, fim: string) =>
      trainer.api.post<{ id: string }>('/sessions', { student_id: body.id, inicio, fim });
    const done = await book(later(-3), later(-2));
    booked = (await book(later(4), later(5))).body.id;
    await trainer.api.post(`/sessions/${done.body.id}/complete`);
    await trainer.api.post('/transactions', {
      tipo: 'despesa',
      descricao: 'Elásticos',
      valor: 12_990,
      metodo_pagamento: 'pix',
      data: dayOf(),
    });
    const { error } = await browser(app.url).signUp({
      ...student,
      options: { data: { nome: 'Bento', convite: (await inviteOf(body.id)).split('/').at(-1)! } },
    });
    if (error) throw error;
    invite = await inviteOf(day.studentId);
    const link = await trainer.api.post<{ url: string }>(`/students/${day.studentId}/area-link`);
    area = new URL(link.body.url).pathname;
  });

  it('has no findings of axe, scrolls only vertically and has targets for a thumb, in both sizes and themes', async () => {
    const screen = await openScreen(app, phone);
    const { page } = screen;
    const found: string[] = [];
    const look = async (address: string, seen = () => shown(page)) => {
      const isPhone = page.viewportSize()!.width === phone.width;
      // Begins with the size that the window has, because a change draws the whole page again.
      for (const size of isPhone ? [phone, desk] : [desk, phone]) {
        await page.setViewportSize(size);
        await seen();
        found.push(...(await faults(screen, `${size.width} ${address}`)));
      }
    };
    const see = async (address: string) => {
      await page.goto(address);
      await look(address);
    };
    for (const address of ['/auth', '/auth?aba=cadastro', '/termos', '/dev/ui']) await see(address);
    // The link of a mail, opened in another browser than the one that requested it.
    await page.goto('/auth#token=nonsense&type=signup');
    await page.getByRole('heading', { name: 'Confirme seu e-mail' }).waitFor();
    await look('/auth#token');
    await see(invite);
    await see(area);
    await see(`${area}/pagamentos`);
    await signIn(page, student);
    for (const address of (await addresses()).filter(
      (each) => each.startsWith('/aluno/') || each === '/aluno' || each === `/agenda/${trainer.tenantId}`,
    ))
      await see(address);
    // Wait for all requests, because those that are open while the session ends would be refused.
    await page.goto('/aluno', { waitUntil: 'networkidle' });
    await page.getByRole('button', { name: 'Sair' }).click();
    await page.waitForURL('**/auth?de=aluno');
    await signIn(page, newcomer);
    await page.getByRole('button', { name: 'Começar Configuração' }).click();
    const answer = page.getByPlaceholder('Digite sua resposta...');
    await look('Configuração Inicial', () => answer.waitFor());
    // Leave the application before its session is removed, so that no page sends requests without it.
    await page.goto('/icon.svg');
    await page.evaluate('localStorage.clear()');
    await signIn(page, trainer);
    // Skip the students' pages, which all refuse a trainer in the same way.
    const isStudents = (each: string) => each.startsWith('/aluno/') || each === `/agenda/${trainer.tenantId}`;
    for (const address of (await addresses()).filter((each) => !isStudents(each))) {
      await goWithin(page, address);
      await look(address);
    }
    for (const [address, name, opens] of [
      [`/agenda?sessao=${booked}`, 'Cancelar', '[role=dialog] [type=radio]'] as const,
      ...taps,
    ]) {
      await goWithin(page, address);
      await shown(page);
      // On the phone, it unfolds the finances' other tools.
      const more = page.getByRole('button', { name: 'Mais', exact: true });
      if (await more.isVisible()) await more.click();
      await page.getByRole('button', { name }).first().click();
      await look(`${address} ${String(name)}`, () => page.locator(opens).first().waitFor());
    }
    await see(invite);
    expect(found).toEqual([]);
  }, 600_000);

  it('is printed without dark areas from the dark theme, and without what is tapped', async () => {
    const { page } = await openScreen(app, desk);
    await page.emulateMedia({ colorScheme: 'dark' });
    await signIn(page, trainer);
    for (const address of [
      ...['/agenda?modo=dia', '/agenda?modo=semana', '/financeiro', '/cobrancas'],
      ...[withIds('/alunos/:id'), withIds('/ajustes/contratos-termos/:id')],
    ]) {
      await page.goto(address);
      await shown(page);
      // The part that prints is loaded after the page is shown.
      await eventually(async () => {
        await page.emulateMedia({ media: 'screen' });
        await page.emulateMedia({ media: 'print' });
        return page.evaluate<string[]>(onPaper);
      }, []);
      await page.emulateMedia({ media: 'screen' });
    }
  });
});
