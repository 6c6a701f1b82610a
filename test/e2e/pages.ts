import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import type { RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import { browser } from '../accounts/people.js';
import { liveADay } from '../proof/day.js';
import type { TestApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { dayOf } from '../support/clock.js';
import { settle } from '../support/onboarding.js';
import { faults } from '../support/page-faults.js';
import { signUp } from '../support/people.js';

export const phone = { width: 390, height: 844 };
export const desk = { width: 1440, height: 900 };

/** A trainer with something on every page, a student with an account, and the addresses of their pages. */
export async function everyPageOf(app: TestApp) {
  const trainer = await signUp(app);
  const student = { email: `${randomUUID()}@exemplo.com.br`, password: 'Lagoa-Azul-42' };
  /** Creates an invite for a student. Returns the address that its page leads to. */
  const inviteOf = async (studentId: string): Promise<string> => {
    const { body } = await trainer.api.post<NewInvite>(`/students/${studentId}/invites`);
    return new URL(body.inviteUrl).pathname.replace('/convite/', '/aceitar/');
  };
  await settle(trainer.api);
  const day = await liveADay(trainer.api);
  const { body } = await trainer.api.post('/students', {
    nome: 'Bento Sem Plano',
    whatsapp: '(11) 91234-5678',
  });
  // The student can only read their own signature request.
  const contract = `/contracts/${day.contractId}`;
  await trainer.api.post(`${contract}/send`, { alunos: [body.id], canal: 'link' });
  const requests = await trainer.api.get<RequestPage>(`${contract}/requests`);
  const requestId = requests.body.items.find(({ student_id }) => student_id === body.id)!.id;
  const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const book = async (inicio: string, fim: string) =>
    (await trainer.api.post<{ id: string }>('/sessions', { student_id: body.id, inicio, fim })).body.id;
  await trainer.api.post(`/sessions/${await book(later(-3), later(-2))}/complete`);
  const booked = await book(later(4), later(5));
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
  const invite = await inviteOf(day.studentId);
  const link = await trainer.api.post<{ url: string }>(`/students/${day.studentId}/area-link`);

  /** Replaces the ids in a route: of a contract, of a signature request, of the trainer, or of a student. */
  const withIds = (path: string) =>
    path
      .replace(/(assinaturas|aluno\/contratos)\/:id/, `$1/${requestId}`)
      .replace('pagadores/:id', `pagadores/${day.payerId}`)
      .replace(':personalId', trainer.tenantId)
      .replace('contratos-termos/:id', `contratos-termos/${day.contractId}`)
      .replace(':id', day.studentId);
  const files = ['frontend/src/app/trainer-pages.ts', 'frontend/src/app/pages.ts'];
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const paths = [...sources.join('\n').matchAll(/^ {2}'(\/[^']*)':/gm)].map(([, path]) => path!);
  expect(paths).toEqual(expect.arrayContaining(['/agenda', '/aluno']));
  const isStudents = (each: string) => /^\/aluno(\/|$)/.test(each) || each === `/agenda/${trainer.tenantId}`;
  const addresses = [...paths.map(withIds), '/nao-existe'];
  return {
    trainer,
    student,
    day,
    booked,
    invite,
    withIds,
    /** Address of the area of a student without an account. */
    area: new URL(link.body.url).pathname,
    // A trainer is refused on the students' pages, on all in the same way: one of them stands for them.
    students: addresses.filter(isStudents),
    trainers: addresses.filter((each) => !isStudents(each) || each === '/aluno'),
  };
}

/** Waits until the page is completely loaded. */
export async function shown(page: Page): Promise<void> {
  await page.getByRole('heading').first().waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

/** Navigates like "back" and "forward", without reloading the application; to another sheet of the same page via another page. */
export async function goWithin(page: Page, address: string): Promise<void> {
  const [to, from] = [new URL(address, page.url()), new URL(page.url())];
  if (to.pathname === from.pathname) {
    if (to.pathname === '/nao-existe') return;
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

/**
 * Addresses with parts or colours of their own at the desk: those whose parts ask for the width, and whose style sheets change
 * colours by it. The others only have more room there.
 */
const ownAtDesk = /^\/($|\?|agenda|aluno$|alunos$|financeiro($|\?)|auth|Configuração)/;

/**
 * Looks at pages in both sizes and themes, or on the phone at what has opened over one that was looked at before, which at the
 * desk has the same parts and colours and more room; `found`: their faults.
 */
export function looking(screen: Screen) {
  const { page } = screen;
  const found: string[] = [];
  const look = async (address: string, opened?: string) => {
    const isPhone = page.viewportSize()!.width === phone.width;
    // Begins with the size that the window has, because a change draws the whole page again.
    for (const size of opened ? [phone] : isPhone ? [phone, desk] : [desk, phone]) {
      await page.setViewportSize(size);
      if (opened) await page.locator(opened).first().waitFor();
      await shown(page);
      const again = size === desk && !ownAtDesk.test(address);
      found.push(...(await faults(screen, `${size.width} ${address}`, opened, again)));
    }
  };
  const see = async (address: string) => {
    await page.goto(address);
    await look(address);
  };
  return { found, look, see };
}
