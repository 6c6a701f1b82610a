import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import { goLive, openSignedIn } from '../e2e/trainer-screen.js';
import type { TestApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts, letToastsGo, undo } from '../support/toasts.js';
import { agendaOf } from './trainer.js';

/** A time of a day of March 2030 in São Paulo. */
const at = (day: number, hour: number) => new Date(Date.UTC(2030, 2, day, hour + 3)).toISOString();

let app: TestApp;
let trainer: Trainer;
/** A session on the 14th from 9:00 to 10:00, alone until 15:00. */
let dragged: string;

const cell = (page: Page, name: string | RegExp) => page.getByRole('gridcell', { name });
const title = (page: Page) => page.getByRole('heading', { level: 2 }).first();
const address = (page: Page) => Promise.resolve(new URL(page.url()).search);
const focused = (page: Page) => page.evaluate<string>("document.activeElement.dataset.day ?? ''");

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
    await complete(done);
    await cancel(cancelled);
    for (const from of [9, 10, 11]) await book({ student_id: bia, ...hour(12, from) });
    await book({ student_id: bia, ...hour(13, 9) });
    dragged = await book({ student_id: ana, ...hour(14, 9) });
    await book({ student_id: bia, ...hour(14, 15) });
  });

  describe('on a desktop', () => {
    let desk: Screen;
    let page: Page;

    beforeAll(async () => {
      desk = await openSignedIn(app, trainer, { width: 1440, height: 900 });
      ({ page } = desk);
    });

    it('shows six weeks of a month: two sessions of each day, and the number of others', async () => {
      await goLive(page, '/agenda?modo=mes&dia=2030-03-01');
      const day = cell(page, 'terça-feira, 12 de março de 2030, 3 agendadas, 1 realizada, 1 cancelada');
      await day.waitFor();
      await eventually(
        async () => (await day.innerText()).split('\n'),
        ['12', '8:00', 'Ana Souza', '9:00', 'Bia Rocha', '+3 mais'],
      );
      await eventually(() => page.getByRole('gridcell').count(), 42);
      await eventually(() => title(page).textContent(), 'março de 2030');
    });

    it('opens a day of the month, and keeps the place over "back", a reload and a link', async () => {
      await cell(page, /^terça-feira, 12 de março/).click();
      await page.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await eventually(() => address(page), '?modo=dia&dia=2030-03-12');
      await page.reload();
      await page.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await page.goBack();
      await cell(page, /^terça-feira, 12 de março/).waitFor();
      await eventually(() => address(page), '?modo=mes&dia=2030-03-01');
      await page.getByRole('button', { name: 'Próximo mês' }).click();
      await eventually(() => title(page).textContent(), 'abril de 2030');
      await page.getByRole('link', { name: 'Alunos' }).first().click();
      await page.getByRole('heading', { name: 'Alunos', level: 1 }).waitFor();
      await page.goBack();
      await eventually(() => title(page).textContent(), 'abril de 2030');
      await eventually(() => address(page), '?modo=mes&dia=2030-04-01');
    });

    it('leaves defaults out of the address, and ignores invalid values', async () => {
      await goLive(page, '/agenda?modo=seculo&dia=2030-02-30');
      await eventually(() => title(page).textContent(), 'Esta semana');
      await page.getByText('Ano', { exact: true }).click();
      await eventually(async () => (await address(page)).includes('modo=ano'), true);
      await page.getByText('Semana', { exact: true }).click();
      await eventually(async () => (await address(page)).includes('modo'), false);
    });

    it('moves through the month by arrow keys, into a day by Enter, and back by Escape', async () => {
      await goLive(page, '/agenda?modo=mes&dia=2030-03-12');
      await cell(page, /^terça-feira, 12 de março.*agendadas/).focus();
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
        await eventually(() => focused(page), day);
      }
      for (let week = 0; week < 3; week += 1) await page.keyboard.press('ArrowDown');
      await eventually(() => focused(page), '2030-04-06');
      await eventually(() => title(page).textContent(), 'abril de 2030');
      await eventually(() => page.locator('[data-day][tabindex="0"]').count(), 1);

      await goLive(page, '/agenda?modo=mes&dia=2030-03-13');
      await cell(page, /^quarta-feira, 13 de março.*agendada/).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: /Agendada.*Bia Rocha/ }).waitFor();
      await eventually(() => page.evaluate('document.activeElement.tagName'), 'H2');
      await page.keyboard.press('Escape');
      await eventually(() => focused(page), '2030-03-13');
      await eventually(() => title(page).textContent(), 'março de 2030');
    });

    it('shows a year of twelve months in which days with sessions are marked, with the same keys', async () => {
      await goLive(page, '/agenda?modo=ano&dia=2030-03-31');
      await cell(page, '12 de março, 3 agendadas, 1 realizada, 1 cancelada').waitFor();
      await eventually(() => page.getByRole('grid').count(), 12);
      await eventually(() => page.locator('[data-day]').count(), 365);
      await eventually(() => page.locator('[data-day][data-status]').count(), 3);
      await cell(page, '31 de março').focus();
      await page.keyboard.press('ArrowRight');
      await eventually(() => focused(page), '2030-04-01');
      await page.keyboard.press('PageDown');
      await eventually(() => focused(page), '2031-04-01');
      await eventually(() => title(page).textContent(), '2031');
      await page.keyboard.press('Enter');
      await page.getByText('Nenhuma sessão agendada').waitFor();
      await eventually(() => address(page), '?modo=dia&dia=2031-04-01');
      await page.keyboard.press('Escape');
      await eventually(() => focused(page), '2031-04-01');
      await page.getByRole('button', { name: 'março', exact: true }).click();
      await eventually(() => title(page).textContent(), 'março de 2031');
      expect(desk.complaints).toEqual([]);
    });
  });

  describe('on the phone', () => {
    let phone: Screen;
    let page: Page;

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
      await down(195, 400);
      await move(195 + by / 2, 400);
      await move(195 + by, 400);
      await up();
    };

    beforeAll(async () => {
      phone = await openSignedIn(app, trainer);
      ({ page } = phone);
    });

    it('shows the number of sessions of each day of the month, with those of the chosen day below', async () => {
      await goLive(page, '/agenda?modo=mes&dia=2030-03-13');
      const day = cell(page, /^terça-feira, 12 de março.*3 agendadas/);
      await day.waitFor();
      await eventually(async () => (await day.innerText()).split('\n'), ['12', '4']);
      await page.getByRole('button', { name: /Agendada.*Bia Rocha/ }).waitFor();
      await day.click();
      await page.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await eventually(() => address(page), '?modo=mes&dia=2030-03-12');
      await page.getByRole('button', { name: 'Ver dia' }).click();
      await eventually(() => address(page), '?dia=2030-03-12');
    });

    it('chooses the mode in a drawer', async () => {
      await page.getByRole('button', { name: 'Visualização: Dia' }).click();
      const drawer = page.getByRole('dialog', { name: 'Visualização' });
      await drawer.getByRole('button', { name: 'Ano' }).click();
      await drawer.waitFor({ state: 'detached' });
      await eventually(() => title(page).textContent(), '2030');
      await eventually(() => address(page), '?dia=2030-03-12&modo=ano');
    });

    it('closes a sheet that has no address by "back", and stays on the page', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-12');
      await page.getByRole('button', { name: 'Visualização: Dia' }).click();
      const drawer = page.getByRole('dialog', { name: 'Visualização' });
      await drawer.waitFor();
      await page.goBack();
      await drawer.waitFor({ state: 'detached' });
      await eventually(() => address(page), '?modo=dia&dia=2030-03-12');
    });

    it('shows the gaps of a day, and books in them', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-14');
      await eventually(() => title(page).textContent(), 'qui., 14 de mar. de 2030');
      const gap = page.getByRole('button', { name: '10:00–15:00 livre Agendar' });
      await gap.click();
      await page.getByRole('dialog').getByLabel('Horário de início').waitFor();
      await eventually(() => page.getByLabel('Horário de início').inputValue(), '10:00');
      await eventually(() => page.getByLabel('Data').inputValue(), '14/03/2030');
    });

    it('books in four taps, one of which chooses the length', async () => {
      const taps: string[] = [];
      const tap = async (role: 'button' | 'link', name: string | RegExp) => {
        taps.push(String(name));
        await page.getByRole(role, { name, exact: true }).first().click();
      };
      await goLive(page, '/agenda?modo=dia&dia=2030-03-19');
      await page.getByText('Nenhuma sessão agendada').waitFor();
      await tap('button', 'Agendar neste dia');
      await tap('button', /^Bia Rocha/);
      await tap('button', '90 min');
      await tap('button', 'Agendar');
      await page.getByRole('button', { name: /Agendada.*7:00–8:30.*Bia Rocha/ }).waitFor();
      expect(taps).toHaveLength(4);
    });

    it('books from the floating button in four taps, too', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-20');
      await page.getByRole('button', { name: 'Ações rápidas' }).click();
      await page.getByRole('link', { name: 'Evento', exact: true }).click();
      await page.getByRole('button', { name: /^Ana Souza/ }).click();
      await page.getByRole('button', { name: 'Agendar', exact: true }).click();
      await page.getByRole('button', { name: /Agendada.*7:00–8:00.*Ana Souza/ }).waitFor();
    });

    it('registers a missing student and location during a booking, and returns with all values', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-21');
      await page.getByRole('button', { name: 'Agendar neste dia' }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByLabel('Observações').fill('Traz tapete');
      await sheet.getByPlaceholder('Buscar aluno').fill('Zuleica');
      await sheet.getByRole('button', { name: "Cadastrar 'Zuleica'" }).click();
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
      await page.getByRole('dialog', { name: 'Sessão' }).waitFor();
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await eventually(() => address(page), '?modo=dia&dia=2030-03-13');
    });

    it('books an hour for two students, shows it as one, and settles each session alone and both together', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-22');
      await page.getByRole('button', { name: 'Agendar neste dia' }).click();
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

      await sheet.getByRole('button', { name: /Ana Souza/ }).click();
      const message = sheet.getByRole('link', { name: 'WhatsApp' });
      await eventually(
        async () => decodeURIComponent((await message.getAttribute('href'))!),
        'https://wa.me/5511943214321?text=Oi, Ana! Lembrando da sua aula: sex., 22 de mar. de 2030, às 7:00. Confirma?',
      );
      await sheet.getByRole('button', { name: 'Remover do horário' }).click();
      await page.getByText('Agendamento excluído').waitFor();
      await page.getByRole('button', { name: /Agendada.*7:00–8:00.*Bia Rocha/ }).waitFor();
      await goLive(page, '/agenda?modo=mes&dia=2030-03-22');
      await cell(page, /^sexta-feira, 22 de março.*1 agendada$/).waitFor();
    });

    it('adds a student to an hour, and repeats it a week later', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-13');
      await page.getByRole('button', { name: /Agendada.*Bia Rocha/ }).click();
      const sheet = page.getByRole('dialog');
      await sheet.getByRole('button', { name: 'Adicionar aluno' }).click();
      await sheet.getByRole('button', { name: /^Ana Souza/ }).click();
      await sheet.getByRole('button', { name: 'Adicionar', exact: true }).click();
      await sheet.getByText('Ana e Bia').waitFor();
      await sheet.getByRole('button', { name: 'Repetir na próxima semana' }).click();
      await eventually(() => sheet.getByLabel('Data').inputValue(), '20/03/2030');
      await sheet.getByRole('button', { name: 'Agendar', exact: true }).click();
      await page.getByText('Agendamento criado com sucesso!').waitFor();
      await goLive(page, '/agenda?modo=dia&dia=2030-03-20');
      await page.getByRole('button', { name: /Agendada.*9:00–10:00.*Ana e Bia/ }).waitFor();
      expect(phone.complaints).toEqual([]);
    });

    it('settles one session of an hour for two while offline, and sends it afterwards', async () => {
      const { page: cut } = await openSignedIn(app, trainer);
      await goLive(cut, '/agenda?modo=dia&dia=2030-03-12');
      await cut.getByRole('button', { name: /Realizada.*Ana Souza/ }).click();
      const sheet = cut.getByRole('dialog');
      await sheet.getByRole('button', { name: 'Reabrir sessão' }).waitFor();
      await cut.goBack();
      await sheet.waitFor({ state: 'detached' });
      await cut.getByRole('button', { name: 'Próximo dia' }).click();
      const block = cut.getByRole('button', { name: /Agendada.*9:00–10:00.*Ana e Bia/ });
      await block.waitFor();
      await cut.context().setOffline(true);
      await block.click();
      await sheet.getByRole('button', { name: /Ana Souza/ }).click();
      await sheet.getByRole('button', { name: 'Marcar como feita' }).click();
      await cut.getByText('Guardado neste aparelho').waitFor();
      await cut.goBack();
      await sheet.getByRole('button', { name: /Realizada.*Ana Souza/ }).waitFor();
      await sheet.getByRole('button', { name: /Agendada.*Bia Rocha/ }).waitFor();
      await cut.context().setOffline(false);
      const from = at(13, 9);
      const done = async () => {
        const query = { from, to: at(13, 10) };
        const { items } = (await trainer.api.get<SessionPage>('/sessions', { query })).body;
        return items.map(({ student_nome, status }) => `${student_nome} ${status}`).toSorted();
      };
      await eventually(done, ['Ana Souza feita', 'Bia Rocha agendada']);
    });

    it('copies a week to the next one after a preview, and undoes that', async () => {
      await goLive(page, '/agenda?modo=dia&dia=2030-03-12');
      await page.getByRole('button', { name: 'Configurações da agenda' }).click();
      await page.getByRole('menuitem', { name: 'Copiar semana' }).click();
      const sheet = page.getByRole('dialog', { name: 'Copiar semana' });
      await sheet.getByText('De 10/03 a 16/03 para 17/03 a 23/03').waitFor();
      const taken = sheet.getByLabel(/20 de mar.*9:00–10:00/);
      await eventually(() => taken.isChecked(), false);
      await sheet.getByLabel(/19 de mar.*9:00–10:00/).uncheck();
      await sheet.getByRole('button', { name: /^Agendar \d+ horários$/ }).click();
      await undo(page, 'Semana copiada');
      await page.getByText('Cópia desfeita').waitFor();
      expect(phone.complaints).toEqual([]);
    });

    it('shows the current time in the list of today', async () => {
      await goLive(page, '/agenda');
      await page.getByText('Nenhuma sessão agendada').waitFor();
      const isToday = async () => /^hoje\d\d\/\d\d\/\d{4}$/.test((await title(page).textContent()) ?? '');
      await eventually(isToday, true);
      // Read at the same time, because the hour may begin or end meanwhile.
      const isAsTheHour = async () => {
        const now = new Date().toLocaleTimeString('en-GB', { timeZone: 'America/Sao_Paulo' });
        const hour = Number(now.slice(0, 2));
        const lines = await page.getByText('agora', { exact: true }).count();
        return lines === (hour >= 6 && hour < 22 ? 1 : 0);
      };
      await eventually(isAsTheHour, true);
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
      await eventually(() => address(page), '?modo=dia&dia=2030-03-14');
    });

    it.each([
      ['dia', '2030-03-12', '2030-03-13'],
      ['semana', '2030-03-12', '2030-03-19'],
      ['mes', '2030-03-12', '2030-04-12'],
      ['ano', '2030-03-12', '2031-03-12'],
    ])('moves to the next period by a swipe in mode %s', async (mode, from, to) => {
      await goLive(page, `/agenda?modo=${mode}&dia=${from}`);
      await page.locator('main [data-status]').first().waitFor();
      const day = () => Promise.resolve(new URL(page.url()).searchParams.get('dia'));
      const shown = () => title(page).textContent();
      const before = await shown();
      await swipe(-120);
      await eventually(async () => (await shown()) !== before, true);
      await eventually(day, to);
      await swipe(120);
      await eventually(shown, before);
      await eventually(day, from);
      await swipe(-30);
      expect(await day()).toBe(from);
      expect(phone.complaints).toEqual([]);
    });
  });
});
