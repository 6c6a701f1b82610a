import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf } from '../agenda/trainer.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { axeFindings } from '../support/axe.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { desk, phone } from './pages.js';
import { goLive, openSignedIn } from './trainer-screen.js';

const label = 'Buscar alunos, sessões, tarefas, páginas e ações';

describeWithChromium('the search over everything', () => {
  let app: TestApp;
  let trainer: Trainer;
  let page: Page;
  let ana: string;

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    const { student, book, cancel } = agendaOf(trainer.api);
    ana = await student('Ânia Souza');
    const bookOn = (day: string) =>
      book({ student_id: ana, inicio: `${day}T10:00:00.000Z`, fim: `${day}T11:00:00.000Z` });
    await bookOn('2030-11-25');
    await cancel(await bookOn('2030-11-24'));
    ({ page } = await openSignedIn(app, trainer, desk));
  });

  it('is in the middle of a desktop, with its field at the same position for any results', async () => {
    await page.keyboard.press('Control+k');
    const field = page.getByRole('combobox', { name: label });
    await field.waitFor();
    const box = async () => (await page.getByRole('dialog').boundingBox())!;
    await eventually(async () => Math.abs((await box()).x + (await box()).width / 2 - 720) < 8, true);
    expect((await box()).width).toBe(640);
    const before = (await field.boundingBox())!.y;
    await field.fill('zzzz');
    await page.getByText('Nenhum resultado encontrado').waitFor();
    expect((await field.boundingBox())!.y).toBe(before);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
  });

  /** Whether screen readers are told that an entry of Ânia Souza is active, which Enter opens. */
  const isTold = () =>
    page.evaluate<boolean>(
      `/Ânia Souza/.test(document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.textContent)`,
    );

  it('opens a student by keyboard alone', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: label }).waitFor();
    await page.keyboard.type('ania');
    await page
      .getByRole('option', { name: /Ânia Souza/ })
      .first()
      .waitFor();
    await eventually(isTold, true);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/alunos/${ana}`);
    await page.getByRole('combobox', { name: label }).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Ânia Souza' }).waitFor();
  });

  it('continues to her session with the arrow keys', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: label }).fill('ania');
    const when = /25 de nov\./;
    await page.getByRole('option', { name: when }).waitFor();
    // It comes after the future session, although it is of an earlier day.
    await page.getByRole('option', { name: /Cancelada · .*24 de nov\./ }).waitFor();
    // The arrows start from the first entry, which is selected after all entries are there.
    await eventually(isTold, true);
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-combobox-selected][aria-label="WhatsApp de Ânia Souza"]').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-combobox-selected]').filter({ hasText: when }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/agenda\?dia=2030-11-25&sessao=/);
  });

  it('closes with Escape and with its shortcut, and returns the focus to the button that opened it', async () => {
    await page.goto('/ajustes');
    const button = page.getByRole('button', { name: 'Buscar', exact: true }).first();
    for (const keys of ['Escape', 'Control+k']) {
      await button.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: label }).waitFor();
      await page.keyboard.press(keys);
      await page.getByRole('combobox', { name: label }).waitFor({ state: 'detached' });
      const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
      await eventually(async () => [keys, await focused()], [keys, 'Buscar']);
    }
  });

  it('opens over a page that is still loading', async () => {
    await page.evaluate(`(() => {
      document.querySelector('aside a[href="/financeiro"]').click();
      dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
    })()`);
    await page.getByRole('combobox', { name: label }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/financeiro');
    await page.keyboard.press('Escape');
  });

  it('starts an action with two taps on the phone, where "back" closes it too', async () => {
    await page.setViewportSize(phone);
    await goLive(page, '/');
    const open = () => page.getByRole('button', { name: 'Buscar', exact: true }).click();
    await open();
    await page.getByRole('combobox', { name: label }).waitFor();
    await page.goBack();
    await page.getByRole('combobox', { name: label }).waitFor({ state: 'detached' });
    await open();
    await page.getByRole('option', { name: 'Novo aluno' }).click();
    await page.getByRole('heading', { name: 'Novo Aluno' }).waitFor();
  });

  it('asks over the search which number is to be opened, where the student told another one', async () => {
    await studentAccount(app, trainer, ana, 'Ânia Souza', '21987654321');
    // What asks is loaded once the browser is idle.
    const loaded =
      "performance.getEntriesByType('resource').some(({ name }) => name.includes('other-number'))";
    await eventually(() => page.evaluate<boolean>(loaded), true);
    await page.getByRole('link', { name: 'Alunos' }).filter({ visible: true }).click();
    await page.getByRole('link', { name: 'Ânia Souza' }).click();
    await page.getByText(/mudou o WhatsApp para/).waitFor();
    const question = page.getByRole('dialog', { name: 'Ânia informou outro número' });
    const close = async () => {
      // A click waits until nothing lies over the button.
      await question.getByRole('button', { name: 'Fechar' }).click();
      await question.waitFor({ state: 'detached' });
    };
    await page.getByRole('link', { name: 'WhatsApp' }).first().click();
    await close();
    await page.getByRole('button', { name: 'Buscar', exact: true }).click();
    await page.getByRole('combobox', { name: label }).fill('ania');
    await page.getByRole('option', { name: 'WhatsApp de Ânia Souza' }).click();
    await close();
    expect(await page.getByRole('combobox', { name: label }).isVisible()).toBe(true);
  });
});
