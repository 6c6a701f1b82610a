import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import type { Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts, letToastsGo, undo } from '../support/toasts.js';
import { agendaOf } from './trainer.js';

/** A Tuesday, and times of it and the days around in São Paulo. */
const TUESDAY = '2030-03-12';
const on = (day: number, hour: number, minutes = 0) =>
  new Date(Date.UTC(2030, 2, day, hour + 3, minutes)).toISOString();

describeWithChromium("the desk's week by minutes", () => {
  let trainer: Trainer;
  let desk: Screen;
  let page: Page;
  let ana: string;

  const block = (name: string) => page.getByRole('button', { name: new RegExp(`Agendada.*${name}`) });
  const column = (day: number) =>
    page.getByRole('region', { name: `${day} de março de 2030` }).locator('[data-column]');
  const timesOf = async (id: string) => {
    const { inicio, fim } = await agendaOf(trainer.api).get(id);
    return [inicio, fim];
  };
  const pixelsAMinute = async () => (await block('Bia').boundingBox())!.height / 60;

  /** Drags a session by its middle, or its lower edge, by so many days and minutes. */
  const drag = async (name: string, { days = 0, minutes = 0, edge = false }) => {
    const box = (await block(name).boundingBox())!;
    const width = (await column(13).boundingBox())!.x - (await column(12).boundingBox())!.x;
    const [x, y] = [box.x + box.width / 2, edge ? box.y + box.height - 3 : box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 10, y);
    await page.mouse.move(x + days * width, y + minutes * (await pixelsAMinute()), { steps: 5 });
  };
  /** Waits until Ana's session is shown at its times again, because it is dragged by its position. */
  const showsAna = (times: string) =>
    page.getByRole('button', { name: new RegExp(`${times}.*Ana Souza`) }).waitFor();
  const shownTimes = () => page.locator('[data-column] [role=status]').innerText();

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    const { student, book } = agendaOf(trainer.api);
    const hour = (day: number, from: number) => ({ inicio: on(day, from), fim: on(day, from + 1) });
    ana = await book({ student_id: await student('Ana Souza'), ...hour(12, 8) });
    await book({ student_id: await student('Bia Rocha'), ...hour(12, 10) });
    await book({ student_id: await student('Caio Melo'), inicio: on(13, 9), fim: on(13, 11, 30) });
    await book({ student_id: await student('Davi Reis'), ...hour(12, 23) });
    desk = await signedInWindow(app, trainer, { width: 1440, height: 900 });
    ({ page } = desk);
    await goLive(page, `/agenda?dia=${TUESDAY}`);
    await block('Ana').waitFor();
  });

  it('shows sessions in proportion to their length, also late in the evening', async () => {
    const heights = await Promise.all(
      ['Bia', 'Caio'].map(async (name) => (await block(name).boundingBox())!.height),
    );
    const gap = 2;
    expect(heights[1]! + gap).toBeCloseTo((heights[0]! + gap) * 2.5, 1);
    await block('Davi').waitFor();
  });

  it('moves a session that is dragged to another day and quarter of an hour, and undoes that', async () => {
    await drag('Ana', { days: 1, minutes: -32 });
    await eventually(shownTimes, '7:30–8:30 Ana Souza');
    await holdToasts(page);
    await page.mouse.up();
    await column(13)
      .getByRole('button', { name: /7:30.*Ana Souza/ })
      .waitFor();
    await page.getByText('Agendamento atualizado com sucesso!').waitFor();
    await eventually(() => timesOf(ana), [on(13, 7, 30), on(13, 8, 30)]);
    await undo(page, 'Agendamento atualizado com sucesso!');
    await column(12)
      .getByRole('button', { name: /8:00.*Ana Souza/ })
      .waitFor();
    await eventually(() => timesOf(ana), [on(12, 8), on(12, 9)]);
    await letToastsGo(page);
    await eventually(() => page.getByRole('dialog').count(), 0);
  });

  it('extends a session that is dragged by its lower edge', async () => {
    await drag('Ana', { edge: true, minutes: 32 });
    await eventually(shownTimes, '8:00–9:30 Ana Souza');
    await page.mouse.up();
    await eventually(() => timesOf(ana), [on(12, 8), on(12, 9, 30)]);
    await showsAna('8:00.*9:30');
  });

  it('moves nothing after Escape', async () => {
    await drag('Ana', { minutes: 180 });
    await page.locator('[data-column] [role=status]').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-column] [role=status]').waitFor({ state: 'detached' });
    await page.mouse.up();
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(await timesOf(ana)).toEqual([on(12, 8), on(12, 9, 30)]);
  });

  it('asks before a session is dropped on another one, and moves nothing until the answer', async () => {
    await drag('Ana', { minutes: 125 });
    // It is dropped where it is shown, which follows the pointer.
    await eventually(shownTimes, '10:00–11:30 Ana Souza');
    await page.mouse.up();
    const sheet = page.getByRole('dialog', { name: 'Remarcar sessão' });
    await sheet
      .getByText('Bia já tem sessão das 10:00 às 11:00. Escolha outro horário ou agende mesmo assim.')
      .waitFor();
    expect(await timesOf(ana)).toEqual([on(12, 8), on(12, 9, 30)]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    expect(await timesOf(ana)).toEqual([on(12, 8), on(12, 9, 30)]);

    await drag('Ana', { minutes: 125 });
    await eventually(shownTimes, '10:00–11:30 Ana Souza');
    await page.mouse.up();
    await sheet.getByRole('button', { name: 'Usar 11:00' }).click();
    await eventually(() => timesOf(ana), [on(12, 11), on(12, 12, 30)]);
    await sheet.waitFor({ state: 'detached' });
    await showsAna('11:00.*12:30');
  });

  it('shows overlapping sessions side by side', async () => {
    await drag('Ana', { minutes: -60 });
    await eventually(shownTimes, '10:00–11:30 Ana Souza');
    await page.mouse.up();
    await page.getByRole('dialog').getByRole('button', { name: 'Agendar mesmo assim' }).click();
    await eventually(() => timesOf(ana), [on(12, 10), on(12, 11, 30)]);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await showsAna('10:00.*11:30');
    const places = async () => {
      const [one, other] = await Promise.all(['Ana', 'Bia'].map((name) => block(name).boundingBox()));
      return { isBeside: other!.x >= one!.x + one!.width, isLevel: other!.y === one!.y };
    };
    await eventually(places, { isBeside: true, isLevel: true });
  });

  it('can be used by arrow keys, Enter and Escape, and moves sessions from the menu too', async () => {
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await block('Bia').focus();
    await page.keyboard.press('ArrowRight');
    await eventually(async () => (await focused()).includes('Caio Melo'), true);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await eventually(async () => (await focused()).includes('Davi Reis'), true);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('dialog');
    await sheet.getByText(/^Caio Melo · /).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await eventually(focused, await block('Caio').textContent());
    await page.keyboard.press('Enter');
    await sheet.getByRole('button', { name: 'Remarcar' }).click();
    await sheet.getByLabel('Horário de início').fill('14:00');
    await sheet.getByRole('button', { name: 'Remarcar', exact: true }).click();
    await column(13)
      .getByRole('button', { name: /14:00.*16:30.*Caio Melo/ })
      .waitFor();
    expect(desk.complaints).toEqual([]);
  });
});
