import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createChallenge } from 'altcha-lib/v1';
import type { Page, Route } from 'playwright-core';
import { defaultSettings, type PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import { startApp, type TestApp } from '../support/app.js';
import { axeFindings } from '../support/axe.js';
import { openScreen, type Screen } from '../support/browser.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { privatePort } from '../support/ports.js';
import { more } from '../support/sheets.js';
import { signUp, type Trainer } from '../support/people.js';
import { somePhone, visitorsOf } from './visitor.js';

describeWithChromium('the public page', () => {
  let app: TestApp;
  let trainer: Trainer;
  let desk: Screen;
  /** A phone in the trainer's zone, and a computer far away whose clock is wrong. */
  let phone: Screen;
  let away: Screen;
  let slug: string;
  let place: string;

  /** The first may expire when the hour ends: tests that need a stable one take the last. */
  const times = (page: Page) => page.locator('input[name=inicio]');
  const lastDay = (page: Page) => page.locator('.strip a').last();
  async function chooseLast(page: Page): Promise<void> {
    await lastDay(page).click();
    await times(page).last().check();
  }
  const bookings = '**/api/v1/public/bookings';
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

  async function openPlace(page: Page): Promise<void> {
    await page.goto(`/p/${slug}/${place}`);
    await heading(page, 'Escolha o horário');
  }

  /** Fills in everything but the time. */
  async function introduce(page: Page, nome = 'Carla Visitante'): Promise<void> {
    await page.locator('input[name=nome]').fill(nome);
    const phone = somePhone();
    // As pasted from a source that writes numbers with their country code.
    await page.locator('input[name=whatsapp]').fill(`55 ${phone}`);
    await eventually(() => page.locator('input[name=whatsapp]').inputValue(), phone);
    await page.locator('input[name=consentimento]').check();
  }
  const send = (page: Page) => page.getByRole('button', { name: 'Agendar' }).click();
  const isBooked = (page: Page) => page.waitForURL('**/p/reserva/*');

  async function namesBooked(pattern: RegExp): Promise<string[]> {
    const { items } = (await trainer.api.get<{ items: { nome: string }[] }>('/visits')).body;
    return items
      .map(({ nome }) => nome)
      .filter((nome) => pattern.test(nome))
      .toSorted();
  }

  /** In both themes. */
  async function expectNothingFound({ page }: Screen): Promise<void> {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await axeFindings(page)).toEqual([]);
    }
    const scrolls = await page.evaluate<boolean>(
      'document.documentElement.scrollWidth > document.documentElement.clientWidth',
    );
    expect(scrolls).toBe(false);
  }

  beforeAll(async () => {
    app = await startApp({ port: await privatePort() });
    trainer = await signUp(app, { nome: 'Bruna Dias', telefone: '(11) 98123-4599' });
    const agenda = agendaOf(trainer.api);
    place = await agenda.location('Parque do Povo');
    await agenda.location('Estúdio Centro');
    ({ slug } = (await trainer.api.get<PublicLink>('/public-link')).body);
    desk = await signedInWindow(app, trainer, { width: 1440, height: 900 });
    await goLive(desk.page, '/link-publico');
    await desk.page.getByText('O que for agendado pelo seu link aparece aqui').waitFor();
    // Nothing was saved yet: the trainer's own number is proposed.
    const own = desk.page.getByLabel('WhatsApp (opcional)');
    await eventually(() => own.inputValue(), '(11) 98123-4599');
    phone = await openScreen(app);
    away = await openScreen(app, { width: 1440, height: 900, timezoneId: 'Asia/Tokyo' });
    // A clock that is years ahead.
    await away.page.clock.setFixedTime('2041-01-01T00:00:00Z');
  });

  beforeEach(() => {
    phone.complaints.length = 0;
  });

  it('takes a booking by keyboard, which the trainer sees arrive and confirms, and whose link moves and cancels it', async () => {
    const { page, complaints } = phone;
    await page.goto(`/p/${slug}`);
    await heading(page, 'Bruna Dias');
    await expectNothingFound(phone);
    await page.getByRole('link', { name: 'Parque do Povo' }).press('Enter');
    await heading(page, 'Escolha o horário');
    await expectNothingFound(phone);
    await lastDay(page).press('Enter');
    await page.getByRole('button', { name: 'Agendar' }).press('Enter');
    await page.getByText('Informe o WhatsApp com DDD').waitFor();
    // The focus moves to the first missing field: the time.
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowUp');
    // What is to be filled in next is in view, above the bar.
    const bar = (await page.locator('.bar').boundingBox())!;
    for (const name of ['nome', 'whatsapp']) {
      const field = (await page.locator(`input[name=${name}]`).boundingBox())!;
      expect([name, field.y >= 0, field.y + field.height <= bar.y]).toEqual([name, true, true]);
    }
    await page.keyboard.press('Tab');
    while ((await page.evaluate('document.activeElement.name')) !== 'nome') await page.keyboard.press('Tab');
    await page.keyboard.type('Carla Visitante');
    await page.keyboard.press('Tab');
    await page.keyboard.type('11987654321');
    await eventually(() => page.locator('input[name=whatsapp]').inputValue(), '(11) 98765-4321');
    // Past its country and the e-mail.
    for (let tab = 0; tab < 3; tab += 1) await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    // The message is shown for a few seconds only, so the wait for it begins before the booking.
    const told = desk.page.getByText('Nova reserva pelo link').waitFor();
    await page.keyboard.press('Enter');
    await isBooked(page);
    await heading(page, 'Horário reservado');
    await told;
    await expectNothingFound(phone);

    await desk.page.getByRole('button', { name: 'Confirmar', exact: true }).click();
    await desk.page.getByText('Reserva confirmada').waitFor();
    // A loaded page does not change by itself.
    await eventually(async () => {
      await page.reload();
      return page.getByRole('heading', { name: 'Horário confirmado' }).count();
    }, 1);
    const before = await page.locator('dd time').textContent();
    const toMove = page.locator('summary', { hasText: 'Remarcar' });
    // Its mark is the page's own, which also old browsers show.
    const mark = 'getComputedStyle(document.querySelector("summary")).listStyleType';
    expect(await page.evaluate(mark)).toBe('none');
    await toMove.press('Enter');
    await lastDay(page).press('Enter');
    await times(page).last().press('Space');
    await page.getByRole('button', { name: 'Remarcar' }).press('Enter');
    await page.getByText('Pronto: sua aula mudou para').waitFor();
    await heading(page, 'Horário reservado');
    await eventually(async () => (await page.locator('dd time').textContent()) !== before, true);
    await page.locator('summary', { hasText: 'Cancelar a reserva' }).press('Enter');
    await page.getByRole('button', { name: 'Cancelar a reserva' }).press('Enter');
    await heading(page, 'Reserva cancelada');
    await expectNothingFound(phone);
    expect(complaints).toEqual([]);
  });

  it("announces a booking that was made before the trainer's page finished loading", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const hold = async (route: Route) => {
      await held;
      await route.continue();
    };
    await desk.page.route('**/api/v1/visits', hold);
    await desk.page.goto('/');
    await desk.page.getByRole('heading', { name: /^Olá/ }).waitFor();
    const visitors = visitorsOf(app.url, slug);
    const { inicio } = (await visitors.page()).body.horarios.at(-1)!;
    expect((await visitors.book({ location_id: place, inicio, nome: 'Davi Cedo' })).status).toBe(201);
    release();
    await desk.page.getByText('Nova reserva pelo link').waitFor();
    await desk.page.unroute('**/api/v1/visits', hold);
    // In the agenda it is answered where it is shown.
    await goLive(desk.page, `/agenda?modo=dia&dia=${dayOf(new Date(inicio))}`);
    await desk.page.getByRole('button', { name: /Davi Cedo/ }).click();
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Confirmar reserva' }).waitFor();
    await more(desk.page.getByRole('dialog'), 'Recusar reserva');
    await desk.page.getByLabel('Mensagem (opcional)').fill('Só atendo à tarde.');
    await desk.page.getByRole('button', { name: 'Recusar reserva' }).click();
    await desk.page.getByText('Reserva recusada').waitFor();
    expect(desk.complaints).toEqual([]);
  });

  it('gives a time to one of two who book it at once, and shows the other the nearest free ones', async () => {
    await Promise.all([phone, away].map(({ page }) => openPlace(page)));
    // The device's zone and clock do not change what is shown.
    const labels = await Promise.all(
      [phone, away].map(({ page }) => page.locator('.slot span').allTextContents()),
    );
    expect(labels[0]).toEqual(labels[1]);
    await away.page.getByText('Fuso: horário de Brasília').waitFor();
    await expectNothingFound(away);
    await Promise.all(
      [phone, away].map(async ({ page }) => {
        await introduce(page);
        await chooseLast(page);
      }),
    );
    expect(await away.page.locator('#chosen').textContent()).toContain(labels[0]!.at(-1)!);
    await Promise.all([phone, away].map(({ page }) => send(page)));
    const ends = await Promise.all(
      [phone, away].map(({ page }) =>
        Promise.race([
          isBooked(page).then(() => 'booked'),
          page
            .getByText('Esse horário acabou de ser ocupado')
            .waitFor()
            .then(() => 'taken'),
        ]).catch(() => 'neither'),
      ),
    );
    expect(ends.toSorted()).toEqual(['booked', 'taken']);
    const { page } = ends[0] === 'taken' ? phone : away;
    const ways = page.locator('.ways-out button');
    await eventually(() => ways.count(), 3);
    await eventually(() => page.locator('input[name=nome]').inputValue(), 'Carla Visitante');
    await ways.first().click();
    await send(page);
    await isBooked(page);
  });

  it('books once when the answer is lost or slow, and follows a changed address, but not a page that is switched off', async () => {
    const { page } = phone;
    await openPlace(page);
    await introduce(page, 'Elisa Lenta');
    await chooseLast(page);
    let asked = 0;
    // As if the page got too many bookings: the request with the solution is booked, and its answer is lost.
    await page.route(bookings, async (route) => {
      asked += 1;
      if (asked > 2) return route.continue();
      if (asked === 2) {
        await route.fetch();
        return route.abort();
      }
      const desafio = await createChallenge({ hmacKey: 'anybody', maxnumber: 100 });
      await route.fulfill({ status: 428, json: { code: 'public.proof_needed', desafio } });
    });
    const [former, wished] = [slug, 'bruna-treina'];
    await trainer.api.put('/public-link/slug', { slug: wished });
    await send(page);
    await page.getByText('Sem conexão com o servidor').waitFor();
    // Asked again with the same key by the page that is loaded anew, not without a tap.
    await page.reload();
    const again = page.getByRole('button', { name: 'Enviar de novo' });
    await again.waitFor();
    expect(asked).toBe(2);
    await again.click();
    await isBooked(page);
    await page.unroute(bookings);
    await eventually(async () => (await namesBooked(/^Elisa /)).length, 1);
    slug = wished;
    // The form is not where one goes back to, and what was booked is greeted on the other pages.
    await page.getByRole('button', { name: 'Copiar link' }).waitFor();
    const booked = page.url();
    await page.goto(`/p/${former}`);
    await page.locator(`.own a[href="${new URL(booked).pathname}"]`).click();
    await page.waitForURL(booked);

    await openPlace(page);
    await introduce(page, 'Fabi Fora');
    await chooseLast(page);
    await goLive(desk.page, '/link-publico');
    await desk.page.getByRole('switch', { name: 'Link ativo' }).click();
    await desk.page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await desk.page.getByText('Configurações salvas').waitFor();
    await send(page);
    await page.getByText('Bruna pausou os agendamentos').waitFor();
    expect(await page.locator('input[name=nome]').inputValue()).toBe('Fabi Fora');
    await page.goto(`/p/${slug}`);
    await heading(page, 'Bruna pausou os agendamentos');
    await expectNothingFound(phone);
    await trainer.api.put('/public-link', defaultSettings);
    await eventually(async () => (await fetch(`${app.url}/p/${slug}`)).status, 200);
  });

  it('lets visitors who find no suitable time join the waitlist, where the trainer sees and skips them', async () => {
    const { page } = phone;
    await openPlace(page);
    await page.getByRole('link', { name: 'Nenhum horário serve? Entre na lista de espera' }).click();
    await heading(page, 'Lista de espera');
    await expectNothingFound(phone);
    await introduce(page, 'Gabi Espera');
    await page.getByRole('button', { name: 'Entrar na lista' }).click();
    await page.getByText('Escolha pelo menos um período').waitFor();
    await page.locator('input[value=manha]').check();
    await page.getByRole('button', { name: 'Entrar na lista' }).click();
    await page.getByRole('button', { name: 'Nenhum serve' }).click();
    await heading(page, 'Você está na lista');
    await expectNothingFound(phone);
    await goLive(desk.page, '/link-publico');
    await desk.page.getByRole('button', { name: 'Pular' }).click();
    await desk.page.getByText('Gabi Espera não recebe ofertas').waitFor();
    await page.locator('summary', { hasText: 'Sair da lista' }).click();
    await page.getByRole('button', { name: 'Sair da lista' }).click();
    await heading(page, 'Fora da lista');
    await desk.page.getByRole('heading', { name: 'Lista de espera' }).waitFor({ state: 'detached' });
  });

  it('books once over a slow network with two taps, and after the server was down', async () => {
    const { page } = phone;
    const network = await page.context().newCDPSession(page);
    await network.send('Network.enable');
    // A phone with a weak signal.
    const slow = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 20_000 };
    await network.send('Network.emulateNetworkConditions', slow);
    await openPlace(page);
    await introduce(page, 'Hugo Devagar');
    await chooseLast(page);
    let asked = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route(bookings, async (route) => {
      asked += 1;
      await held;
      await route.continue();
    });
    await send(page);
    await page.getByRole('button', { name: 'Agendando…' }).dispatchEvent('click');
    release();
    await isBooked(page);
    expect(asked).toBe(1);
    await page.unroute(bookings);
    await network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
    await network.detach();

    await openPlace(page);
    await introduce(page, 'Ivo Insiste');
    await chooseLast(page);
    const port = Number(new URL(app.url).port);
    await app.close();
    await send(page);
    await page.getByText('Sem conexão com o servidor').waitFor();
    app = await startApp({ port });
    await send(page);
    await isBooked(page);
    await heading(page, 'Horário reservado');
    await eventually(() => namesBooked(/^(Hugo|Ivo) /), ['Hugo Devagar', 'Ivo Insiste']);
  });

  it('shows locations and next times without a script, and says that booking needs one', async () => {
    const { page } = await openScreen(app, { scripts: false });
    await page.goto(`/p/${slug}`);
    await page.getByText('Estúdio Centro').waitFor();
    await eventually(() => page.locator('a.chip time').count(), 6);
    await page.getByRole('link', { name: 'Parque do Povo' }).click();
    await heading(page, 'Escolha o horário');
    // Chromium shows <noscript> only if scripts were disabled when the page was parsed.
    expect(await page.content()).toContain('Para agendar, ative o JavaScript deste navegador.');
  });
});
