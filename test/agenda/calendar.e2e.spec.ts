import { TZDate } from '@date-fns/tz';
import { addHours, startOfDay } from 'date-fns';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import { desk, phone } from '../e2e/pages.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import type { TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { more } from '../support/sheets.js';
import { holdToasts, letToastsGo, undo } from '../support/toasts.js';
import { agendaOf } from './trainer.js';

const ZONE = 'America/Sao_Paulo';
/** A time of a day of March 2030 in São Paulo. */
const at = (day: number, hour: number) => new Date(Date.UTC(2030, 2, day, hour + 3)).toISOString();
/** A time of a day of March 2024, which is in the past. */
const past = (day: number, hour: number) => new Date(Date.UTC(2024, 2, day, hour + 3)).toISOString();

let app: TestApp;
let trainer: Trainer;
let page: Page;
let complaints: string[];
/** A session on the 14th from 9:00 to 10:00, alone until 15:00. */
let dragged: string;

const cell = (name: string | RegExp) => page.getByRole('gridcell', { name });
const title = () => page.getByRole('heading', { level: 2 }).first();
const address = () => Promise.resolve(new URL(page.url()).search);
const focused = () => page.evaluate<string>("document.activeElement.dataset.day ?? ''");

describeWithChromium('the calendar', () => {
  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    const { student, book, complete, cancel } = agendaOf(trainer.api);
    const ana = await student('Ana Souza');
    const bia = await student('Bia Rocha');
    const hour = (day: number, from: number) => ({ inicio: at(day, from), fim: at(day, from + 1) });
    const [done, cancelled] = [
      await book({ student_id: ana, ...hour(12, 8) }),
      await book({ student_id: ana, ...hour(12, 7) }),
    ];
    // A session can be done from its day on.
    await sharedApp(new SetClock(new Date(at(12, 9))));
    await complete(done);
    await sharedApp();
    await cancel(cancelled);
    for (const from of [9, 10, 11]) await book({ student_id: bia, ...hour(12, from) });
    await book({ student_id: bia, ...hour(13, 9) });
    dragged = await book({ student_id: ana, ...hour(14, 9) });
    await book({ student_id: bia, ...hour(14, 15) });
    await complete(await book({ student_id: ana, inicio: past(12, 8), fim: past(12, 9) }));
    await trainer.api.post('/sessions/groups', {
      student_ids: [ana, bia],
      inicio: past(13, 9),
      fim: past(13, 10),
    });
    ({ page, complaints } = await signedInWindow(app, trainer, desk));
  });

  describe('on a desktop', () => {
    it('shows six weeks of a month: two sessions of each day, and the number of others', async () => {
      await goLive(page, '/agenda?modo=mes&dia=2030-03-01');
      const day = cell('terça-feira, 12 de março de 2030, 3 agendadas, 1 realizada, 1 cancelada');
      await day.waitFor();
      await eventually(
        async () => (await day.innerText()).split('\n'),
        ['12', '8:00', 'Ana Souza', '9:00', 'Bia Rocha', '+3 mais'],
      );
      await eventually(() => page.getByRole('gridcell').count(), 42);
      await eventually(() => title().textContent(), 'março de 2030');
    });

    it('opens a day of the month, and keeps the place over "back", a reload and a link', async () => {
      await cell(/^terça-feira, 12 de março/).click();
      await page.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await eventually(address, '?modo=dia&dia=2030-03-12');
      await page.reload();
      await page.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await page.goBack();
      await cell(/^terça-feira, 12 de março/).waitFor();
      await eventually(address, '?modo=mes&dia=2030-03-01');
      await page.getByRole('button', { name: 'Próximo mês' }).click();
      await eventually(() => title().textContent(), 'abril de 2030');
      await page.getByRole('link', { name: 'Alunos' }).first().click();
      await page.getByRole('heading', { name: 'Alunos', level: 1 }).waitFor();
      await page.goBack();
      await eventually(() => title().textContent(), 'abril de 2030');
      await eventually(address, '?modo=mes&dia=2030-04-01');
    });

    it('moves through the month by arrow keys, into a day by Enter, and back by Escape', async () => {
      await goLive(page, '/agenda?modo=mes&dia=2030-03-12');
      await cell(/^terça-feira, 12 de março.*agendadas/).focus();
      const steps: [key: string, day: string][] = [
        ['ArrowRight', '2030-03-13'],
        ['ArrowDown', '2030-03-20'],
        ['Home', '2030-03-17'],
        ['End', '2030-03-23'],
        ['ArrowUp', '2030-03-16'],
        ['PageDown', '2030-04-16'],
        ['PageUp', '2030-03-16'],
      ];
      for (const [key, day] of steps) {
        await page.keyboard.press(key);
        await eventually(focused, day);
      }
      for (let week = 0; week < 3; week += 1) await page.keyboard.press('ArrowDown');
      await eventually(focused, '2030-04-06');
      await eventually(() => title().textContent(), 'abril de 2030');
      await eventually(() => page.locator('[data-day][tabindex="0"]').count(), 1);

      await goLive(page, '/agenda?modo=mes&dia=2030-03-13');
      await cell(/^quarta-feira, 13 de março.*agendada/).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /Agendada.*Bia Rocha/ }).waitFor();
      await eventually(() => page.evaluate('document.activeElement.tagName'), 'H2');
      await page.keyboard.press('Escape');
      await eventually(focused, '2030-03-13');
      await eventually(() => title().textContent(), 'março de 2030');
    });

    it('shows a year of twelve months in which days with sessions are marked, with the same keys', async () => {
      await goLive(page, '/agenda?modo=ano&dia=2030-03-31');
      await cell('12 de março, 3 agendadas, 1 realizada, 1 cancelada').waitFor();
      await eventually(() => page.getByRole('grid').count(), 12);
      await eventually(() => page.locator('[data-day]').count(), 365);
      await eventually(() => page.locator('[data-day][data-status]').count(), 3);
      await cell('31 de março').focus();
      await page.keyboard.press('ArrowRight');
      await eventually(focused, '2030-04-01');
      await page.keyboard.press('PageDown');
      await eventually(focused, '2031-04-01');
      await eventually(() => title().textContent(), '2031');
      await page.keyboard.press('Enter');
      await page.getByText('Nenhuma sessão agendada').waitFor();
      await eventually(address, '?modo=dia&dia=2031-04-01');
      await page.keyboard.press('Escape');
      await eventually(focused, '2031-04-01');
      await page.getByRole('button', { name: 'março', exact: true }).click();
      await eventually(() => title().textContent(), 'março de 2031');
      expect(complaints).toEqual([]);
    });
  });

  describe('on the phone', () => {
    /** A finger on the screen. */
    const finger = async () => {
      const devtools = await page.context().newCDPSession(page);
      const touch = (
        type: 'touchStart' | 'touchMove' | 'touchEnd',
        touchPoints: { x: number; y: number }[],
      ) => devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
      return {
        down: (x: number, y: number) => touch('touchStart', [{ x, y }]),
        move: (x: number, y: number) => touch('touchMove', [{ x, y }]),
        up: () => touch('touchEnd', []),
      };
    };

    /** A finger that moves horizontally by so many pixels. */
    const swipe = async (by: number) => {
      const { down, move, up } = await finger();
      // Without waiting between, because a finger that rests on a session for 400 ms begins to drag it.
      await Promise.all([down(195, 400), move(195 + by / 2, 400), move(195 + by, 400), up()]);
    };

    beforeAll(() => page.setViewportSize(phone));

    it('shows the number of sessions of each day of the month, with those of the chosen day below', async () => {
      await goLive(page, '/agenda?modo=mes&dia=2030-03-13');
      const day = cell(/^terça-feira, 12 de março.*3 agendadas/);
      await day.waitFor();
      await eventually(async () => (await day.innerText()).split('\n'), ['12', '4']);
      await page.getByRole('button', { name: /Agendada.*Bia Rocha/ }).waitFor();
      await day.click();
      await page.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await eventually(address, '?modo=mes&dia=2030-03-12');
      await page.getByRole('button', { name: 'Ver dia' }).click();
      await eventually(address, '?dia=2030-03-12');
    });

    it('goes from a day to its month and from there to its year and to today in the bar, and back by the menu', async () => {
      const menu = async (name: string) => {
        await page.getByRole('button', { name: 'Mais da agenda' }).click();
        await page.getByRole('menuitem', { name }).click();
      };
      await page.getByRole('button', { name: /ver o mês$/ }).click();
      await eventually(() => title().textContent(), 'março de 2030');
      await page.getByRole('button', { name: /ver o ano$/ }).click();
      await eventually(() => title().textContent(), '2030');
      await eventually(address, '?dia=2030-03-12&modo=ano');
      await page.getByText('Dia', { exact: true }).click();
      await menu('Próximo dia');
      await eventually(address, '?dia=2030-03-13');
      await page.getByRole('button', { name: 'Hoje', exact: true }).click();
      await eventually(address, '');
      await menu('Mês');
      await eventually(address, '?modo=mes');
    });

    it('chooses a day of the week by a tap or by arrow keys', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-15');
      await page.getByRole('button', { name: 'sábado, 16 de março de 2030, 0 sessões' }).click();
      await eventually(address, '?dia=2030-03-16');
      await page.getByRole('button', { name: /^sábado, 16 de março/, pressed: true }).waitFor();
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Enter');
      await eventually(address, '?dia=2030-03-14');
      await page.keyboard.press('ArrowDown');
      await eventually(address, '?dia=2030-03-21');
    });

    it('shows the gaps of a day, and books in them', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-14');
      await eventually(() => title().textContent(), 'qui., 14 de mar. de 2030');
      const gap = page.getByRole('button', { name: '10:00–15:00 livre Agendar' });
      await gap.click();
      await page.getByRole('dialog').getByLabel('Horário de início').waitFor();
      await eventually(() => page.getByLabel('Horário de início').inputValue(), '10:00');
      await eventually(() => page.getByLabel('Data').inputValue(), '14/03/2030');
    });

    it('registers a missing student and location during a booking, and returns with all values', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-21&novo=agendamento&em=2030-03-21');
      const sheet = page.getByRole('dialog');
      await sheet.getByLabel('Observações').fill('Traz tapete');
      await sheet.getByPlaceholder('Buscar aluno').fill('Zuleica');
      await sheet.getByRole('button', { name: 'Cadastrar “Zuleica”' }).click();
      await eventually(() => sheet.getByLabel('Nome completo *').inputValue(), 'Zuleica');
      await sheet.getByLabel('WhatsApp *').fill('11987654321');
      await sheet.getByRole('button', { name: 'Cadastrar Aluno' }).click();
      await sheet.getByRole('group', { name: 'Aluno' }).getByText('Zuleica').waitFor();
      await sheet.getByRole('button', { name: 'Cadastrar local' }).click();
      await sheet.getByLabel('Nome *').fill('Praça');
      await sheet.getByRole('button', { name: 'Salvar' }).click();
      const place = sheet.getByLabel('Local', { exact: true });
      await eventually(() => place.locator('option:checked').textContent(), 'Praça');
      await eventually(() => sheet.getByLabel('Observações').inputValue(), 'Traz tapete');
      await sheet.getByRole('button', { name: 'Agendar', exact: true }).click();
      await page.getByRole('button', { name: /Agendada.*Zuleica/ }).waitFor();
    });

    it('keeps the values of a move over a reload, and returns from it to the session', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-13');
      await page.getByRole('button', { name: /Agendada.*Bia Rocha/ }).click();
      await page.getByRole('button', { name: 'Remarcar' }).click();
      const day = page.getByRole('dialog', { name: 'Remarcar sessão' }).getByLabel('Data');
      await day.fill('15/03/2030');
      await page.reload();
      await eventually(() => day.inputValue(), '15/03/2030');
      await page.goBack();
      await page.getByRole('dialog', { name: /^Bia Rocha · / }).waitFor();
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await eventually(address, '?modo=dia&dia=2030-03-13');
    });

    it('books an hour for two students, shows it as one, and settles each session alone and both together', async () => {
      // Only a session of today or before can be done.
      await goLive(page, '/agenda?modo=dia&dia=2024-03-22&novo=agendamento&em=2024-03-22');
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('button', { name: /^Ana Souza/ }).click();
      await sheet.getByRole('button', { name: 'Adicionar outro aluno' }).click();
      await sheet.getByRole('button', { name: /^Bia Rocha/ }).click();
      await sheet.getByRole('button', { name: 'Agendar', exact: true }).click();
      const block = page.getByRole('button', { name: /Agendada.*7:00–8:00.*Ana e Bia/ });
      await block.click();
      await holdToasts(page);
      await sheet.getByRole('button', { name: 'Marcar todas como feitas' }).click();
      await sheet.getByText('Realizada, sem crédito').nth(1).waitFor();
      await undo(page, 'Sessões marcadas como feitas');
      await letToastsGo(page);
      await page.getByText('Sessões reabertas').waitFor();

      await sheet.getByRole('button', { name: /^Agendada Ana Souza/ }).click();
      const message = sheet.getByRole('link', { name: 'WhatsApp' });
      await eventually(
        async () => decodeURIComponent((await message.getAttribute('href'))!),
        'https://wa.me/5511943214321?text=Oi, Ana! Lembrando da sua aula: sex., 22 de mar. de 2024, às 7:00. Confirma?',
      );
      await more(sheet, 'Remover do horário');
      await page.getByText('Agendamento excluído').waitFor();
      await page.getByRole('button', { name: /Agendada.*7:00–8:00.*Bia Rocha/ }).waitFor();
      await goLive(page, '/agenda?modo=mes&dia=2024-03-22');
      await cell(/^sexta-feira, 22 de março.*1 agendada$/).waitFor();
    });

    it('adds a student to an hour, and repeats it a week later', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-13');
      await page.getByRole('button', { name: /Agendada.*Bia Rocha/ }).click();
      const sheet = page.getByRole('dialog');
      await more(sheet, 'Adicionar aluno');
      await sheet.getByRole('button', { name: /^Ana Souza/ }).click();
      await sheet.getByRole('button', { name: 'Adicionar', exact: true }).click();
      await sheet.getByText(/^Ana e Bia · /).waitFor();
      await sheet.getByRole('button', { name: 'Repetir' }).click();
      await eventually(() => sheet.getByLabel('Data').inputValue(), '20/03/2030');
      await sheet.getByRole('button', { name: 'Agendar', exact: true }).click();
      await page.getByText('Agendamento criado com sucesso!').waitFor();
      await goLive(page, '/agenda?modo=dia&dia=2030-03-20');
      await page.getByRole('button', { name: /Agendada.*9:00–10:00.*Ana e Bia/ }).waitFor();
      expect(complaints).toEqual([]);
    });

    it('settles one session of an hour for two while offline, and sends it afterwards', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2024-03-12');
      await page.getByRole('button', { name: /Realizada.*Ana Souza/ }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('button', { name: 'Mais opções' }).waitFor();
      await page.goBack();
      await sheet.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /^quarta-feira, 13 de março de 2024/ }).click();
      const block = page.getByRole('button', { name: /Agendada.*9:00–10:00.*Ana e Bia/ });
      await block.waitFor();
      await page.context().setOffline(true);
      await block.click();
      await sheet.getByRole('button', { name: /^Agendada Ana Souza/ }).click();
      await sheet.getByRole('button', { name: 'Marcar como feita', exact: true }).click();
      await page.getByText('Guardado neste aparelho').waitFor();
      await page.goBack();
      await sheet.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await sheet.getByRole('button', { name: /Agendada.*Bia Rocha/ }).waitFor();
      await page.context().setOffline(false);
      const from = past(13, 9);
      const done = async () => {
        const query = { from, to: past(13, 10) };
        const { items } = (await trainer.api.get<SessionPage>('/sessions', { query })).body;
        return items.map(({ student_nome, status }) => `${student_nome} ${status}`).toSorted();
      };
      await eventually(done, ['Ana Souza feita', 'Bia Rocha agendada']);
    });

    it('copies a week to the next one after a preview, and undoes that', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-12');
      await page.getByRole('button', { name: 'Mais da agenda' }).click();
      await page.getByRole('menuitem', { name: 'Copiar semana' }).click();
      const sheet = page.getByRole('dialog', { name: 'Copiar semana' });
      await sheet.getByText('De 10/03 a 16/03 para 17/03 a 23/03').waitFor();
      const taken = sheet.getByLabel(/20 de mar.*9:00–10:00/);
      await eventually(() => taken.isChecked(), false);
      await sheet.getByLabel(/19 de mar.*9:00–10:00/).uncheck();
      await sheet.getByRole('button', { name: /^Agendar \d+ horários$/ }).click();
      await undo(page, 'Semana copiada');
      await page.getByText('Cópia desfeita').waitFor();
      expect(complaints).toEqual([]);
    });

    /** What the bars at both ends of the screen leave free, from `top` to `bottom`. */
    const between = async () => {
      const [bars, navigation] = await Promise.all([
        page.locator('[data-bars]').boundingBox(),
        page.getByRole('navigation', { name: 'Principal' }).boundingBox(),
      ]);
      return {
        top: bars!.y + bars!.height,
        bottom: navigation!.y,
        chrome: bars!.height + navigation!.height,
      };
    };

    it('leaves four fifths of the screen to the day, which shows six sessions of an hour', async () => {
      const { student, book } = agendaOf(trainer.api);
      const carla = await student('Carla Dias');
      const place = await agendaOf(trainer.api).location();
      for (let from = 8; from < 16; from += 1)
        await book({ student_id: carla, location_id: place, inicio: at(26, from), fim: at(26, from + 1) });
      await goLive(page, '/agenda?modo=dia&dia=2030-03-26');
      await page.locator('[data-session]').nth(7).waitFor();
      const { top, bottom, chrome } = await between();
      expect(top).toBe(104);
      expect(chrome).toBeLessThanOrEqual(844 / 5);
      const boxes = await Promise.all(
        (await page.locator('[data-session]').all()).map((each) => each.boundingBox()),
      );
      const whole = boxes.filter((box) => box!.y >= top && box!.y + box!.height <= bottom);
      expect(whole.length).toBeGreaterThanOrEqual(6);
    });

    it.each(['dia', 'semana'])(
      'opens today at the line of the current time, at any hour, in mode %s',
      async (mode) => {
        const { student, book } = agendaOf(trainer.api);
        const hours = Array.from({ length: 24 }, (_, hour) =>
          addHours(startOfDay(new TZDate(new Date(), ZONE)), hour),
        );
        if (mode === 'dia') {
          const davi = await student('Davi Reis');
          for (const inicio of hours)
            await book({
              student_id: davi,
              inicio: inicio.toISOString(),
              fim: addHours(inicio, 1).toISOString(),
            });
        }
        await goLive(page, `/agenda?modo=${mode}`);
        await page.locator('[data-session]').nth(20).waitFor();
        const line = page.getByText(/^agora/);
        await eventually(async () => {
          const [{ top, bottom }, box] = [await between(), await line.boundingBox()];
          return box !== null && box.y > top && box.y < bottom;
        }, true);
        expect(await line.count()).toBe(1);
      },
    );

    it('shows the tasks of a day as one row that unfolds', async () => {
      await trainer.api.post('/tasks', { titulo: 'Comprar corda', data_vencimento: '2030-03-27' });
      await goLive(page, '/agenda?modo=dia&dia=2030-03-27');
      const tasks = page.getByRole('region', { name: 'Tarefas' });
      const row = tasks.getByRole('button', { name: '1 tarefa Comprar corda' });
      expect((await row.boundingBox())!.height).toBeLessThanOrEqual(48);
      await row.click();
      await tasks.getByRole('checkbox', { name: 'Concluída: Comprar corda' }).waitFor();
    });

    it('drags a session to another of three days, which is no swipe', async () => {
      const { student, book, get } = agendaOf(trainer.api);
      const session = await book({
        student_id: await student('Elisa Prado'),
        inicio: '2030-04-02T12:00:00Z',
        fim: '2030-04-02T13:00:00Z',
      });
      await goLive(page, '/agenda?modo=semana&dia=2030-04-02');
      const block = page.locator(`[data-session="${session}"]`);
      await block.waitFor();
      await eventually(() => page.locator('[data-column]').count(), 3);
      const ghost = page.locator('[data-column] [role=status]');
      const box = (await block.boundingBox())!;
      const [x, y] = [box.x + 20, box.y + 10];
      const { down, move, up } = await finger();
      await down(x, y);
      await ghost.waitFor();
      await move(x + 60, y);
      await move(x + 110, y);
      await page
        .getByRole('region', { name: /^quarta-feira, 3 de abril/ })
        .locator('[role=status]')
        .waitFor();
      await up();
      await eventually(async () => (await get(session)).inicio, '2030-04-03T12:00:00.000Z');
      expect(await address()).toBe('?modo=semana&dia=2030-04-02');
      await page.getByRole('button', { name: 'Três dias depois' }).click();
      await eventually(address, '?modo=semana&dia=2030-04-05');
    });

    it('drags a session after a long press, extends it by its lower edge, and does not open it', async () => {
      const { get } = agendaOf(trainer.api);
      const timesOf = async (id: string) => {
        const { inicio, fim } = await get(id);
        return [inicio, fim];
      };
      const ghost = page.locator('[data-column] [role=status]');
      await goLive(page, '/agenda?modo=dia&dia=2030-03-14');
      const block = page.locator(`[data-session="${dragged}"]`);
      await block.waitFor();
      const press = async (fromBottom: number | null) => {
        const box = (await block.boundingBox())!;
        const [x, y] = [box.x + 60, fromBottom === null ? box.y + 20 : box.y + box.height - fromBottom];
        const { down, move, up } = await finger();
        await down(x, y);
        await ghost.waitFor();
        return { to: (by: number) => move(x, y + by), up };
      };
      const moved = await press(null);
      await eventually(async () => {
        await moved.to(64);
        return ghost.innerText();
      }, '10:00–11:00 Ana Souza');
      await moved.up();
      await eventually(() => timesOf(dragged), [at(14, 10), at(14, 11)]);
      await ghost.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: /10:00–11:00.*Ana Souza/ }).waitFor();

      const resized = await press(4);
      await eventually(async () => {
        await resized.to(11);
        return ghost.innerText();
      }, '10:00–12:00 Ana Souza');
      await resized.up();
      await eventually(() => timesOf(dragged), [at(14, 10), at(14, 12)]);
      expect(await page.getByRole('dialog').count()).toBe(0);
      await eventually(address, '?modo=dia&dia=2030-03-14');
    });

    it.each([
      ['dia', '2030-03-12', '2030-03-13'],
      ['mes', '2030-03-12', '2030-04-12'],
    ])('moves to the next period by a swipe in mode %s', async (mode, from, to) => {
      await goLive(page, `/agenda?modo=${mode}&dia=${from}`);
      await page.locator('main [data-status]').first().waitFor();
      const day = () => Promise.resolve(new URL(page.url()).searchParams.get('dia'));
      const shown = () => title().textContent();
      const before = await shown();
      await swipe(-120);
      await eventually(async () => (await shown()) !== before, true);
      await eventually(day, to);
      await swipe(120);
      await eventually(shown, before);
      await eventually(day, from);
      await swipe(-30);
      expect(await day()).toBe(from);
      expect(complaints).toEqual([]);
    });
  });
});
