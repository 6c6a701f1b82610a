import { addHours, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import { agendaOf } from '../agenda/trainer.js';
import type { TestApp } from '../support/app.js';
import type { Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts } from '../support/toasts.js';
import { allRead, goLive, signedInWindow } from './trainer-screen.js';

/** A future Monday, at this hour in São Paulo. */
const monday = (hour: number) => new Date(Date.UTC(2030, 10, 25, hour + 3)).toISOString();

describeWithChromium('the shell', () => {
  let app: TestApp;
  let trainer: Trainer;
  let phone: Screen;
  let desk: Screen;
  let first: string | undefined;
  let second: string | undefined;
  let sixth: string | undefined;

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    const { student, book } = agendaOf(trainer.api);
    const numbers = Array.from({ length: 12 }, (_, number) => String(number + 1).padStart(2, '0'));
    const names = numbers.map((number) => (number === '11' ? 'Adriana Freitas Duarte' : `Aluno ${number}`));
    [first, second, , , , sixth] = await Promise.all(names.map((nome) => student(nome)));
    await book({ student_id: first, inicio: monday(7), fim: monday(8) });
    phone = await signedInWindow(app, trainer);
    desk = await signedInWindow(app, trainer, { width: 1440, height: 900 });
  });

  it.each([390, 320])(
    'has its button beside the entries of the bottom bar at %d pixels, over nothing of the page',
    async (width) => {
      const { page } = phone;
      await page.setViewportSize({ width, height: 844 });
      await goLive(page, '/alunos');
      const button = page.getByRole('button', { name: 'Ações rápidas' });
      await button.waitFor();
      const bar = page.getByRole('navigation', { name: 'Principal' });
      const [own, around, last] = await Promise.all(
        [button, bar, bar.getByRole('link').last()].map((each) => each.boundingBox()),
      );
      expect(own!.y).toBeGreaterThanOrEqual(around!.y);
      expect(own!.x).toBeGreaterThanOrEqual(last!.x + last!.width);
      await page.setViewportSize({ width: 390, height: 844 });
    },
  );

  it('hides its button over a wide page while scrolling down, and shows it with the first scroll up', async () => {
    const { page } = desk;
    await page.setViewportSize({ width: 1024, height: 400 });
    await goLive(page, '/alunos');
    await page.getByText('Aluno 12').waitFor();
    const opacity = (value: number) =>
      eventually(
        () =>
          page.evaluate<number>(
            `Number(getComputedStyle(document.querySelector('[aria-label="Ações rápidas"]').parentElement).opacity)`,
          ),
        value,
      );
    await opacity(1);
    await page.mouse.wheel(0, 400);
    await opacity(0);
    // A wheel that turns back before the page has come to rest would only shorten the way down.
    await eventually(() => page.evaluate('scrollY'), 400);
    await page.mouse.wheel(0, -60);
    await opacity(1);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('leaves four fifths of the screen to the students, in rows of 64 to 72 pixels', async () => {
    const { page } = phone;
    await goLive(page, '/alunos');
    await page.getByText('Aluno 12').waitFor();
    const shown = () =>
      page.evaluate<{ isLow: boolean; uneven: number[] }>(`{
        const bar = document.querySelector('nav[aria-label="Principal"]').getBoundingClientRect();
        const rows = [...document.querySelectorAll('main li')].map((row) => row.getBoundingClientRect());
        ({
          isLow: rows[0].top + bar.height <= innerHeight / 5,
          uneven: rows.map(({ height }) => height).filter((height) => height < 64 || height > 72),
        });
      }`);
    await eventually(shown, { isLow: true, uneven: [] });
  });

  it('leaves room under the last row, so that nothing is covered', async () => {
    const { page } = phone;
    const last = page.getByRole('button', { name: 'Mais ações de Aluno 12' });
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const places = async () => {
      const [row, bar] = await Promise.all([
        last.boundingBox(),
        page.getByRole('navigation', { name: 'Principal' }).boundingBox(),
      ]);
      return { isClear: row!.y + row!.height < bar!.y, bar: bar!.height };
    };
    await eventually(places, { isClear: true, bar: 64 });
  });

  it('shows a name of usual length completely in the list, and its actions by a swipe', async () => {
    const { page } = phone;
    await page.evaluate('scrollTo(0, 0)');
    const name = page.getByRole('link', { name: 'Adriana Freitas Duarte' });
    const isWhole = () =>
      page.evaluate<boolean>(`{
        const link = [...document.querySelectorAll('main li a')].find((each) => each.textContent.startsWith('Adriana'));
        link.scrollWidth <= link.clientWidth;
      }`);
    await eventually(isWhole, true);
    const { x, y } = (await name.boundingBox())!;
    const devtools = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: number[]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: points.map((at) => ({ x: at, y: y + 12 })),
      });
    await touch('touchStart', x + 150);
    await touch('touchMove', x + 100);
    await touch('touchMove', x + 20);
    await touch('touchEnd');
    await page.getByRole('menuitem', { name: 'Editar' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  });

  it("starts seven actions with its button, which only the trainer's pages have", async () => {
    const { page } = phone;
    const button = page.getByRole('button', { name: 'Ações rápidas' });
    const menu = page.getByRole('navigation', { name: 'Ações rápidas' });
    await goLive(page, '/');
    await button.click();
    // The button reacts to the tap before its menu is drawn.
    const entries = async () => {
      const links = await menu.getByRole('link').all();
      const found = links.map(async (link) => [await link.innerText(), await link.getAttribute('href')]);
      return Object.fromEntries(await Promise.all(found)) as Record<string, string>;
    };
    await eventually(entries, {
      Agendamento: '/agenda?novo=agendamento',
      Aluno: '/alunos/novo',
      Plano: '/planos/novo',
      Cobrança: '/cobrancas?novo=cobranca',
      Despesa: '/financeiro?novo=despesa',
      Lançamento: '/financeiro?novo=lancamento',
      Local: '/locais/novo',
    });
    await page.getByRole('button', { name: 'Fechar ações rápidas' }).click();
    await menu.waitFor({ state: 'detached' });
    await button.click();
    await menu.getByRole('link', { name: 'Local' }).click();
    await page.getByRole('heading', { name: 'Novo Local' }).waitFor();
    await menu.waitFor({ state: 'detached' });
    await page.goto('/aluno');
    await page.getByRole('heading').first().waitFor();
    expect(await button.count()).toBe(0);
  });

  it('books in a free hour of the week with one tap', async () => {
    const { page } = desk;
    await goLive(page, '/agenda?dia=2030-11-25');
    await page.getByRole('button', { name: /Agendada.*Aluno 01/ }).waitFor();
    await page.getByRole('button', { name: 'Agendar em quarta-feira, 27 de novembro de 2030, 7:00' }).click();
    await page.getByLabel('Horário de início').waitFor();
    await eventually(() => page.getByLabel('Data').inputValue(), '27/11/2030');
    await eventually(() => page.getByLabel('Horário de início').inputValue(), '07:00');
  });

  it('can be used by keyboard: over the menu, to the title of the next page, and into a dialog', async () => {
    const { page } = desk;
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.goto('/alunos');
    await page.getByText('Aluno 12').waitFor();
    await page.evaluate('scrollTo(0, 400)');
    await page.keyboard.press('Tab');
    await eventually(focused, 'Pular para o conteúdo');
    await page.getByRole('link', { name: 'Financeiro' }).focus();
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate('document.activeElement.tagName'), 'H1');
    await eventually(focused, 'Financeiro');
    await eventually(() => page.evaluate('scrollY'), 0);
    const search = page.getByRole('button', { name: 'Buscar' }).first();
    await search.focus();
    await page.keyboard.press('Enter');
    const placeholder = () => page.evaluate('document.activeElement.placeholder');
    await eventually(placeholder, 'Digite para buscar');
    await page.keyboard.press('Escape');
    await eventually(focused, 'BuscarCtrl K');
    await page.getByRole('button', { name: 'Ações rápidas' }).focus();
    await page.keyboard.press('Enter');
    await eventually(focused, 'Agendamento');
    await page.keyboard.press('Enter');
    await eventually(placeholder, 'Buscar aluno');
  });

  it('keeps the place of keyboard users: from a removed element to its successor, and out of a toast', async () => {
    const { page } = desk;
    const focused = () =>
      page.evaluate<string>(
        "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent",
      );
    await goLive(page, '/alunos');
    await page.getByRole('button', { name: 'Mais ações de Aluno 03' }).press('Enter');
    await holdToasts(page);
    await page.getByRole('menuitem', { name: 'Inativar' }).press('Enter');
    await page.getByRole('link', { name: 'Aluno 03' }).waitFor({ state: 'detached' });
    await eventually(focused, 'Aluno 04');
    // Behind the toast Tab goes on, not back to where it came from.
    await page.getByRole('button', { name: 'Desfazer' }).press('Tab');
    expect(await focused()).not.toBe('Aluno 04');
    await page.getByRole('link', { name: 'Aluno 04' }).focus();
    await page.getByRole('button', { name: 'Desfazer' }).press('Enter');
    await page.getByText('Aluno reativado').waitFor();
    await page.getByRole('link', { name: 'Aluno 03' }).waitFor();
    await eventually(focused, 'Aluno 04');

    // Only sessions of today and before have the button; the current hour is of today at any time of the day.
    const inicio = startOfHour(new Date());
    const fim = addHours(inicio, 1).toISOString();
    const times = { inicio: inicio.toISOString(), fim };
    await trainer.api.post(`/students/${sixth}/credits/adjust`, { quantidade: 1, motivo: 'Acerto' });
    const done = await agendaOf(trainer.api).book({ student_id: sixth, ...times });
    await agendaOf(trainer.api).book({ student_id: second, ...times, permitir_conflito: true });
    await goLive(page, '/agenda?modo=dia');
    await page.getByRole('button', { name: /^Agendada.*Aluno 02/ }).focus();
    await page.getByRole('button', { name: 'Marcar como feita: Aluno 06' }).press('Enter');
    await page.getByText('Sessão marcada como feita').waitFor();
    await eventually(async () => (await agendaOf(trainer.api).get(done)).status, 'feita');
    await eventually(async () => (await focused()).slice(0, 9), 'Realizada');
    await page.getByRole('button', { name: /^Realizada.*Aluno 06/ }).press('Enter');
    // The button is busy for a moment, and is then replaced by another one.
    await page.getByRole('button', { name: 'Reabrir sessão' }).press('Enter');
    const price = page.getByRole('dialog', { name: 'Reabrir sessão' });
    await price.getByText('Devolve 1 crédito a Aluno').waitFor();
    await price.getByRole('button', { name: 'Reabrir sessão' }).press('Enter');
    await eventually(focused, 'Marcar como feita');

    await goLive(page, '/agenda?novo=agendamento');
    await page.getByRole('dialog').getByRole('button', { name: 'Aluno 02' }).press('Enter');
    await eventually(focused, 'Trocar');
    await page.keyboard.press('Enter');
    await eventually(() => page.evaluate('document.activeElement.placeholder'), 'Buscar aluno');
  });

  it('shows the current area: in the menu also below an area, in the bar only there', async () => {
    const { page } = phone;
    await goLive(page, '/alunos/novo');
    await page.getByRole('heading', { name: 'Novo Aluno' }).waitFor();
    const marked = () =>
      page.evaluate<string[]>(
        `['aside', 'nav[aria-label=Principal]'].map((part) => document.querySelector(part + ' [aria-current]')?.textContent ?? '')`,
      );
    await eventually(marked, ['Alunos', '']);
    await page.getByRole('link', { name: 'Alunos' }).filter({ visible: true }).click();
    await page.getByText('12 alunos cadastrados').waitFor();
    await eventually(marked, ['Alunos', 'Alunos']);
  });

  it('continues around a page that fails, with the values typed elsewhere', async () => {
    const { page } = phone;
    await goLive(page, '/alunos/novo');
    await page.getByLabel('Nome completo *').fill('Ana Nova');
    const plans = /\/api\/v1\/plans(\?|$)/;
    await page.route(plans, (route) => route.fulfill({ json: { items: [null], next: null } }));
    await page.goto('/planos');
    await page.getByRole('alert').getByText('Unexpected Application Error!').waitFor();
    await page.getByRole('button', { name: 'Recarregar a página' }).waitFor();
    await page.unroute(plans);
    await page.getByRole('link', { name: 'Alunos' }).filter({ visible: true }).click();
    await page.getByRole('link', { name: 'Novo aluno' }).click();
    await eventually(() => page.getByLabel('Nome completo *').inputValue(), 'Ana Nova');
    await page.getByRole('button', { name: 'Descartar' }).click();
  });

  it('refetches changes that were made after its page had read and before it was connected', async () => {
    const { page } = phone;
    const { location } = agendaOf(trainer.api);
    await location('Academia Central');
    await allRead(trainer);
    let letIn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letIn = resolve));
    await page.routeWebSocket(/\/socket\.io\//, async (socket) => {
      await gate;
      socket.connectToServer();
    });
    await page.goto('/locais');
    await page.getByText('Academia Central').first().waitFor();
    await location('Praça da Paz');
    await allRead(trainer);
    letIn();
    await page.getByText('Praça da Paz').first().waitFor();
  });

  it("announces others' changes to screen readers once", async () => {
    const { page } = phone;
    // Hold the hints back, so that the page gets those of both changes together, however long the server takes.
    const held: string[] = [];
    let [isIn, isHeld] = [false, true];
    let letGo: () => void = () => undefined;
    await page.routeWebSocket(/\/socket\.io\//, (socket) => {
      socket.connectToServer().onMessage((message) => {
        isIn ||= String(message).startsWith('40');
        if (isHeld && String(message).includes('"hint"')) held.push(String(message));
        else socket.send(message);
      });
      letGo = () => {
        isHeld = false;
        for (const message of held) socket.send(message);
      };
    });
    const hasHeardOf = (position: number) =>
      held.some((message) => {
        const [, hint] = JSON.parse(message.slice(2)) as [string, { topic: string; position: number }];
        return hint.topic === 'sessions' && hint.position >= position;
      });
    await page.goto('/agenda?dia=2030-11-25');
    await page.getByText('Aluno 01').first().waitFor();
    await eventually(() => Promise.resolve(isIn), true);
    await page.evaluate(`(() => {
      window.said = 0;
      new MutationObserver((changes) => {
        window.said += changes.filter(({ target }) => target.textContent === 'Agenda atualizada.').length;
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    })()`);
    const { book } = agendaOf(trainer.api);
    await book({ student_id: first, inicio: monday(13), fim: monday(14) });
    await book({ student_id: first, inicio: monday(15), fim: monday(16) });
    await eventually(() => Promise.resolve(hasHeardOf(trainer.positions.get('')!)), true);
    letGo();
    // Counted by a script in the page, because the announcement is there only for a moment.
    const said = () => page.evaluate<number>('window.said');
    await eventually(said, 1);
    await page.getByText('Agenda atualizada.').waitFor({ state: 'detached' });
    expect(await said()).toBe(1);
  });

  it('folds its menu to icons with Ctrl+B, and stores that for seven days', async () => {
    const { page } = desk;
    await goLive(page, '/');
    const width = () => page.evaluate<number>("document.querySelector('aside').offsetWidth");
    await eventually(width, 256);
    await page.keyboard.press('Control+b');
    await eventually(width, 48);
    const cookie = async () => {
      const { value, expires = 0 } =
        (await page.context().cookies()).find(({ name }) => name === 'sidebar') ?? {};
      return [value, Math.round((expires - Date.now() / 1000) / 86_400)];
    };
    await eventually(cookie, ['collapsed', 7]);
    await page.reload();
    await page.getByRole('heading', { name: /^Olá/ }).waitFor();
    await eventually(width, 48);
    await page.getByRole('button', { name: 'Expandir menu' }).focus();
    await page.keyboard.press('Enter');
    await eventually(width, 256);
    const focused = () => page.evaluate<string>("document.activeElement.getAttribute('aria-label')");
    await eventually(focused, 'Recolher menu');
  });

  it('says once what was done: in the open sheet, never over its title, and then above the bar, where a page has room at its end; a dialog returns the focus', async () => {
    const { page } = phone;
    const [inicio, fim] = ['2024-11-25T12:00:00Z', '2024-11-25T13:00:00Z'];
    await agendaOf(trainer.api).book({ student_id: first, inicio, fim });
    await goLive(page, '/agenda?modo=dia&dia=2024-11-25');
    const session = page.getByRole('button', { name: /Agendada.*Aluno 01/ }).first();
    await session.focus();
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    const title = 'Aluno 01 · seg., 25 de nov. de 2024, 9:00';
    await eventually(focused, title);
    const step = (name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true }).press('Enter');
    await step('Cancelar');
    await eventually(focused, 'Cancelar sessão');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await session.press('Enter');
    await eventually(focused, title);
    await holdToasts(page);
    await page.getByRole('button', { name: 'Marcar como feita', exact: true }).click();
    await page.getByRole('button', { name: 'Desfazer' }).waitFor();
    const said = await page.locator('[data-said] [data-title]').innerText();
    const speaking =
      await page.evaluate<number>(`[...document.querySelectorAll('[aria-live], [role=status], [role=alert]')]
      .filter((region) => region.textContent.includes(${JSON.stringify(said)})).length`);
    expect(speaking).toBe(1);
    const dialog = page.getByRole('dialog');
    for (const part of [
      dialog.getByRole('heading', { name: title }),
      dialog.getByText('Realizada', { exact: true }),
      dialog.getByRole('button', { name: 'Fechar' }),
    ])
      // Nothing lies over it.
      await part.click({ trial: true });
    expect(await page.locator('[data-sonner-toast]').count()).toBe(0);
    const toast = page.locator('[data-sonner-toast]').first();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(
      () =>
        page.evaluate<boolean>(
          "/Aluno 01/.test(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent)",
        ),
      true,
    );
    const toasts = page.getByRole('region', { name: 'Notifications' }).locator('[data-sonner-toaster]');
    expect(await toasts.getAttribute('style')).toContain('--width: 356px; --gap: 14px');
    for (const [name, value] of [
      ['data-x-position', 'right'],
      ['data-y-position', 'bottom'],
    ] as const)
      expect(await toasts.getAttribute(name)).toBe(value);
    const isAbove = async () => {
      const [said, actions] = await Promise.all([
        toast.boundingBox(),
        page.getByRole('button', { name: 'Ações rápidas' }).boundingBox(),
      ]);
      return said!.y + said!.height <= actions!.y;
    };
    await eventually(isAbove, true);
    // At the end of the page it lies over nothing.
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    const covers = () =>
      page.evaluate<boolean>(`document.querySelector('[data-sonner-toast]').getBoundingClientRect().top <
        document.querySelector('main [data-width]').lastElementChild.getBoundingClientRect().bottom`);
    await eventually(covers, false);
    // Nor does it lie over a sheet that opens after it.
    await page.getByRole('button', { name: 'Ações rápidas' }).click();
    await page.getByRole('link', { name: 'Evento', exact: true }).click();
    const isBelow = async () => {
      const [said, sheet] = await Promise.all([toast.boundingBox(), dialog.boundingBox()]);
      return said!.y >= 0 && said!.y + said!.height <= sheet!.y;
    };
    await dialog.getByRole('button', { name: 'Agendar', exact: true }).waitFor();
    await eventually(isBelow, true);
  });
});
