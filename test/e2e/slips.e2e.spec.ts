import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { agendaOf } from '../agenda/trainer.js';
import type { TestApp } from '../support/app.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts } from '../support/toasts.js';
import { goLive, openSignedIn, signedInWindow } from './trainer-screen.js';

const HOUR_MS = 3_600_000;
/** Noon of today in São Paulo (UTC-3), and times relative to it. */
const NOON = Date.parse(`${dayOf()}T15:00:00Z`);
const fromNoon = (hours: number) => new Date(NOON + hours * HOUR_MS).toISOString();
const dayFromNoon = (hours: number) => dayOf(new Date(fromNoon(hours)));

describeWithChromium('a trainer with one hand on the phone', () => {
  let app: TestApp;
  let trainer: Trainer;
  let agenda: ReturnType<typeof agendaOf>;
  let page: Page;
  let ana: string;
  let gym: string;
  let noon: string;

  const sheet = () => page.getByRole('dialog');
  const quick = () => page.getByRole('button', { name: 'Ações rápidas' });
  const book = (hours: number) =>
    agenda.book({
      student_id: ana,
      location_id: gym,
      inicio: fromNoon(hours),
      fim: fromNoon(hours + 1),
    });

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    agenda = agendaOf(trainer.api);
    ana = await agenda.student('Ana Souza', await agenda.plan());
    gym = await agenda.location('Academia');
    await agenda.renew(ana);
    noon = await book(0);
    ({ page } = await signedInWindow(app, trainer));
  });

  it('a tap hits an entry of the quick menu, not the undo of a toast that was there', async () => {
    await goLive(page, '/agenda?modo=dia');
    await holdToasts(page);
    await page.getByRole('button', { name: 'Marcar como feita: Ana Souza' }).click();
    await page.getByRole('button', { name: 'Desfazer' }).waitFor();
    await quick().click();
    const entries = page.getByRole('navigation', { name: 'Ações rápidas' }).getByRole('link');
    await entries.first().waitFor();
    const links = await entries.all();
    const tapped = async () => {
      const boxes = await Promise.all(links.map((link) => link.boundingBox()));
      return page.evaluate<string[]>(
        `${JSON.stringify(boxes)}.map(({ x, y, width, height }) =>
          document.elementFromPoint(x + width / 2, y + height / 2)?.closest('a, [data-sonner-toast]')?.tagName)`,
      );
    };
    await eventually(
      tapped,
      Array.from({ length: 8 }, () => 'A'),
    );
    expect(await page.getByRole('button', { name: 'Desfazer' }).count()).toBe(1);
    await page.getByRole('link', { name: 'Evento', exact: true }).click();
    await sheet().getByText('Novo agendamento').waitFor();
    await eventually(async () => (await agenda.get(noon)).status, 'feita');
  });

  it('completes no session of a day to come', async () => {
    await book(24);
    await goLive(page, `/agenda?modo=dia&dia=${dayFromNoon(24)}`);
    await page.getByText('Ana Souza').waitFor();
    expect(await page.getByRole('button', { name: 'Marcar como feita: Ana Souza' }).count()).toBe(0);
    await book(-24);
    await goLive(page, `/agenda?modo=dia&dia=${dayFromNoon(-24)}`);
    await page.getByRole('button', { name: 'Marcar como feita: Ana Souza' }).waitFor();
  });

  it('shows in the statement which session used a credit, with a link to it', async () => {
    await goLive(page, `/alunos/${ana}?aba=extrato`);
    const line = page.getByRole('link', { name: /^Sessão de hoje, 12:00, Academia$/ });
    await line.click();
    await sheet().getByText('Realizada').first().waitFor();
  });

  it("books from a student's page for that student", async () => {
    await goLive(page, `/alunos/${ana}?aba=historico`);
    await page.getByText('Cadastrou Ana Souza').waitFor();
    await page.getByRole('tab', { name: 'Sessões' }).click();
    await page
      .getByRole('link', { name: /Hoje, 12:00|hoje, 12:00/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Agendar' }).click();
    await sheet().getByText('Ana Souza').waitFor();
    await sheet().getByRole('button', { name: 'Trocar' }).waitFor();
  });

  it('adds a note with its date, and finds the student by a tag that is in the address', async () => {
    await goLive(page, `/alunos/${ana}?aba=anotacoes`);
    await page.getByRole('button', { name: 'Nova anotação' }).click();
    await sheet().getByLabel('Anotação *').fill('Dor no ombro direito');
    await sheet().getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Dor no ombro direito').waitFor();
    await page.getByRole('button', { name: /^Excluir a anotação de/ }).click();
    await page.getByRole('button', { name: 'Desfazer' }).click();
    await page.getByText('Exclusão desfeita').waitFor();
    await page.getByText('Dor no ombro direito').waitFor();
    await page.getByRole('button', { name: 'Adicionar etiqueta' }).click();
    await sheet().getByLabel('Nova etiqueta').fill('Corrida');
    await sheet().getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Etiquetas atualizadas').waitFor();
    await page.getByRole('button', { name: 'Editar etiquetas' }).waitFor();
    await goLive(page, '/alunos');
    await page.getByRole('button', { name: 'Corrida', exact: true }).click();
    await page.getByText('1 resultado', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('etiqueta')).toBe('Corrida');
  });

  it('has one "+" on each page, below which no list ends, and keeps the width of the phone for any names', async () => {
    const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2);
    const { body: plan } = await trainer.api.post('/plans', {
      nome: long,
      valor: 36_000,
      creditos: 4,
      descricao: long,
    });
    await trainer.api.post('/locations', { nome: long, endereco: long });
    await trainer.api.post('/students', {
      nome: `${long} 👩🏽‍🏫`,
      telefone: '(11) 98765-4321',
      observacoes: long,
      plano_id: plan.id,
    });
    // Lower than the content of every page, so that all of them scroll.
    await page.setViewportSize({ width: 390, height: 320 });
    const main = page.getByRole('main');
    for (const [path, content] of [
      ...['/alunos', '/planos', '/locais'].map((path) => [path, page.getByText(/^Wolfe/)] as const),
      ['/financeiro', main.getByRole('link')] as const,
      ['/agenda', main.getByRole('link').or(main.getByRole('listitem'))] as const,
    ]) {
      await goLive(page, path);
      await quick().waitFor();
      await content.first().waitFor();
      const overlap = () =>
        page.evaluate<number>(`(() => {
          window.scrollTo(0, document.documentElement.scrollHeight);
          const ends = [...document.querySelectorAll('main :is(a, button, li, p)')].map((each) => each.getBoundingClientRect().bottom);
          const { offsetTop } = document.querySelector('[aria-controls=acoes-rapidas]').parentElement;
          return Math.max(0, Math.round(Math.max(...ends) - offsetTop));
        })()`);
      await eventually(async () => [path, await overlap()], [path, 0]);
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect([path, width]).toEqual([path, 390]);
      const add = page
        .getByRole('link', { name: /^Novo|^Agendar$/ })
        .or(page.getByRole('button', { name: /^(Lançamento|Novo)$/ }));
      // The round button is the agenda's only way to create.
      if (path === '/agenda') expect(await add.count()).toBe(0);
      else {
        await add.first().waitFor();
        expect([path, await add.locator('svg').count()]).toEqual([path, 0]);
      }
    }
    await page.setViewportSize({ width: 390, height: 844 });
  });

  it('loses no letter that is typed right after Ctrl+K', async () => {
    await goLive(page, '/alunos');
    await page.getByRole('link', { name: 'Ana Souza' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Ana Souza');
    await eventually(() => page.evaluate('document.activeElement.value'), 'Ana Souza');
  });

  it('keeps the navigation at an unknown address', async () => {
    await goLive(page, '/nada/aqui');
    await page.getByRole('heading', { name: '404 · Página não encontrada' }).waitFor();
    await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Agenda' }).click();
    await page.getByRole('heading', { name: 'Agenda' }).waitFor();
    for (const cutOff of [`/alunos/edit/${ana.slice(0, 8)}`, '/agenda?sessao=0']) {
      await goLive(page, cutOff);
      await page.getByText('Página não encontrada', { exact: true }).waitFor();
      expect(await page.getByRole('button', { name: 'Tentar de novo' }).count()).toBe(0);
    }
  });

  it('shows and accepts times in the zone of the business on a device in another zone, and says so', async () => {
    expect(await page.getByText('em outro fuso').count()).toBe(0);
    const { page: abroad } = await openSignedIn(app, trainer, { timezoneId: 'Asia/Tokyo' });
    await abroad
      .getByText('Este aparelho está em outro fuso. Os horários aqui seguem o horário de Brasília.')
      .waitFor();
    await goLive(abroad, `/agenda?modo=dia&dia=${dayFromNoon(0)}`);
    await abroad.getByText('12:00–13:00').first().waitFor();
    const day = fromNoon(72);
    await goLive(abroad, `/agenda?novo=agendamento&em=${dayFromNoon(72)}&as=12:00`);
    const dialog = abroad.getByRole('dialog');
    await dialog
      .getByRole('list', { name: 'Alunos' })
      .getByRole('button', { name: /Ana Souza/ })
      .click();
    await dialog.getByRole('button', { name: 'Agendar', exact: true }).click();
    await abroad.getByText('Agendamento criado com sucesso!').waitFor();
    const query = { from: day, to: fromNoon(73) };
    const sessions = async () =>
      (await trainer.api.get<{ items: { inicio: string }[] }>('/sessions', { query })).body.items;
    await eventually(async () => (await sessions()).map(({ inicio }) => inicio), [day]);
  });
});
