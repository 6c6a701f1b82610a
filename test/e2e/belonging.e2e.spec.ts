import { randomUUID } from 'node:crypto';
import { addDays, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import type { Session } from '../../backend/modules/agenda/agenda.api.js';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import {
  type BookingSettings,
  defaultBooking,
} from '../../backend/modules/student-area/student-booking.api.js';
import { PrepareReminders } from '../../backend/modules/reminders/reminders.commands.js';
import { nobodyOf } from '../../backend/platform/event-store/context.js';
import type { TestApp } from '../support/app.js';
import { openScreen, type Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { settle } from '../support/onboarding.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { expectToLookWell, openLightly } from '../support/written-screen.js';
import { goLive, openSignedIn } from './trainer-screen.js';

describeWithChromium('belonging', () => {
  let app: TestApp;
  let trainer: Trainer;
  let studentId: string;
  let bia: Screen;
  let carla: Screen;
  const email = `${randomUUID()}@exemplo.com.br`;

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app, { nome: 'Carla Dias' });
    const { body } = await trainer.api.post('/students', { nome: 'Bia Lima', whatsapp: '(11) 94321-4321' });
    studentId = body.id;
    [bia, carla] = [await openScreen(app), await openSignedIn(app, trainer)];
  });

  const denied = ({ page }: Screen) => page.getByRole('heading', { name: 'Acesso Negado' }).waitFor();
  const signIn = async ({ page }: Screen, as: { email: string; password: string }) => {
    const enter = page.getByRole('button', { name: 'Entrar' });
    await enter.waitFor();
    await page.getByLabel('E-mail').fill(as.email);
    await page.getByLabel('Senha', { exact: true }).fill(as.password);
    await enter.click();
  };

  it('begins with an invite that creates an account', async () => {
    await goLive(carla.page, `/alunos/edit/${studentId}`);
    await carla.page.getByRole('button', { name: 'Gerar Link de Convite' }).click();
    await carla.page.getByText('Link criado!').waitFor();
    const link = await carla.page.getByText('/convite/').innerText();
    const whatsApp = carla.page.getByRole('link', { name: 'Enviar WhatsApp' });
    await eventually(
      async () => decodeURIComponent((await whatsApp.getAttribute('href'))!),
      `https://wa.me/5511943214321?text=Oi, Bia! Crie sua conta para agendar suas aulas: ${link}`,
    );

    const { page } = bia;
    await openLightly(page, new URL(link).pathname);
    await page.getByText('Convite para Bia', { exact: true }).waitFor();
    await expectToLookWell(page);
    await page.getByRole('link', { name: 'Aceitar convite' }).click();
    await page.getByRole('heading', { name: 'Carla Dias convidou você' }).waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Senha', { exact: true }).fill('Lagoa-Azul-42');
    await page.getByLabel('Confirmar senha').fill('outra');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await page.getByText('As senhas não coincidem').waitFor();
    await page.getByLabel('Confirmar senha').fill('Lagoa-Azul-42');
    await page.getByRole('button', { name: 'Criar conta' }).click();
    await page.getByText('Conta criada com sucesso! Você será redirecionado...').waitFor();
    await page.getByRole('heading', { name: 'Olá, Bia!' }).waitFor();
    await page.getByText('Seu personal: Carla Dias').waitFor();
    expect(new URL(page.url()).pathname).toBe('/aluno');
    await carla.page.getByText('Com acesso').waitFor();
    // One's own link, opened again.
    await page.goto(new URL(link).pathname);
    await page.getByRole('heading', { name: 'Este convite já foi usado' }).waitFor();
    await page.getByRole('link', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Olá, Bia!' }).waitFor();
    bia.complaints.length = 0;
  });

  it('lets the student book, and request a late change, which the trainer answers, shown on both sides without a reload', async () => {
    const location = (await trainer.api.post('/locations', { nome: 'Parque' })).body.id;
    // With this limit, every session of the test counts as cancelled too late.
    const terms = { cancel_limite_horas: 720, taxa_percent: 0, queima_credito: false };
    await trainer.api.put(`/locations/${location}/policy`, terms);
    await trainer.api.put('/settings/student-booking', { ...defaultBooking, exige_credito: false });
    const asked = async () =>
      (await trainer.api.get<BookingSettings>('/settings/student-booking')).body.exige_credito;
    await eventually(asked, false);
    const { page } = bia;
    await page.getByRole('link', { name: 'Agendar' }).click();
    await page.getByRole('heading', { name: 'Agendar', exact: true }).waitFor();
    await page.locator('main [aria-pressed]').last().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Agendar' }).click();
    await page.getByText('Aula agendada').waitFor();
    await page.getByRole('link', { name: 'Início', exact: true }).click();
    const sessions = page.getByRole('region', { name: 'Próximas Aulas' });
    await sessions.getByRole('link', { name: 'Parque' }).click();
    await page.getByRole('button', { name: 'Desmarcar' }).click();
    await page.getByText('este cancelamento não cobra nada').waitFor();
    await page.getByLabel('Motivo').fill('Consulta no dentista');
    await page.getByRole('button', { name: 'Pedir para desmarcar' }).click();
    await sessions.getByText('Pedido enviado').waitFor();

    await goLive(carla.page, '/');
    await carla.page.getByRole('button', { name: '1 pedido' }).click();
    await carla.page.getByRole('dialog').getByText('Bia Lima quer desmarcar').click();
    await carla.page.getByText('Consulta no dentista').last().waitFor();
    await carla.page.getByRole('button', { name: 'Aceitar' }).click();
    await carla.page.getByText('Pedido aceito').waitFor();
    await carla.page.getByText('Nenhum pedido em aberto').waitFor();
    await carla.page.keyboard.press('Escape');
    await carla.page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('Nenhuma aula agendada').waitFor();
  });

  it("notifies each of the other's actions, until the notifications are read", async () => {
    const { page } = carla;
    await page.getByRole('link', { name: 'Notificações 2 não lidas' }).click();
    await page.getByText('Bia Lima agendou uma sessão').waitFor();
    await page.getByRole('button', { name: 'Bia Lima pediu para desmarcar' }).click();
    await page.waitForURL('**/agenda?**');
    await page.goBack();
    await page.getByRole('button', { name: 'Marcar todas como lidas' }).click();
    await page.getByText('não lida').first().waitFor({ state: 'detached' });
    await bia.page.getByRole('link', { name: 'Notificações 1 não lida' }).click();
    await bia.page.getByRole('button', { name: 'Pedido aceito' }).click();
    await bia.page.getByRole('heading', { name: 'Olá, Bia!' }).waitFor();
    await bia.page.getByRole('link', { name: 'Notificações', exact: true }).waitFor();
  });

  it('keeps confirmations and cancellations that the student makes offline, and sends them afterwards', async () => {
    const start = startOfHour(new Date());
    const book = async (place: string, days: number) => {
      const location_id = (await trainer.api.post('/locations', { nome: place })).body.id;
      const [inicio, fim] = [0, 1].map(
        (hours) => new Date(addDays(start, days).getTime() + hours * 3_600_000),
      );
      const times = { inicio: inicio!.toISOString(), fim: fim!.toISOString() };
      const { body } = await trainer.api.post('/sessions', { student_id: studentId, location_id, ...times });
      return { session_id: body.id, student_id: studentId, inicio: times.inicio };
    };
    const [cancelled, confirmed] = [await book('Lagoa', 5), await book('Quadra', 6)];
    await trainer.api.patch(`/sessions/${confirmed.session_id}`, { confirmado: false });
    const context = nobodyOf(trainer.tenantId, 'America/Sao_Paulo');
    await app.nest.get(CommandBus).execute(new PrepareReminders(context, [confirmed]));
    const now = async ({ session_id }: { session_id: string }) =>
      (await trainer.api.get<Session>(`/sessions/${session_id}`)).body;

    const { page } = bia;
    await goLive(page, '/aluno');
    const sessions = page.getByRole('region', { name: 'Próximas Aulas' });
    await sessions.getByRole('button', { name: 'Confirmar' }).waitFor();
    const sheet = page.getByRole('dialog');
    // Opening the sheet once loads its code, which is then available offline.
    await sessions.getByRole('link', { name: 'Lagoa' }).click();
    await sheet.getByRole('button', { name: 'Desmarcar' }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await page.getByText('Sem internet.').first().waitFor();
    await sessions.getByRole('button', { name: 'Confirmar' }).click();
    await sessions.getByText('será confirmada').waitFor();
    await sessions.getByRole('link', { name: 'Lagoa' }).click();
    await sheet.getByRole('button', { name: 'Desmarcar' }).click();
    await sheet.getByText('Se for enviado até').waitFor();
    await sheet.getByRole('button', { name: 'Desmarcar aula' }).click();
    await sessions.getByText('será desmarcada').waitFor();
    expect([(await now(cancelled)).status, (await now(confirmed)).confirmado]).toEqual(['agendada', false]);

    await page.context().setOffline(false);
    await eventually(
      async () => [(await now(cancelled)).status, (await now(confirmed)).confirmado],
      ['cancelada', true],
    );
    await sessions.getByRole('link', { name: 'Lagoa' }).waitFor({ state: 'detached' });
    await sessions
      .getByText(/^será /)
      .first()
      .waitFor({ state: 'detached' });
  });

  it('is not needed to see the area by a link, until the trainer revokes that', async () => {
    const { body } = await trainer.api.post('/students', { nome: 'Caio Reis', whatsapp: '(11) 94321-4322' });
    const inicio = addDays(startOfHour(new Date()), 4);
    const fim = new Date(inicio.getTime() + 3_600_000).toISOString();
    const times = { inicio: inicio.toISOString(), fim };
    const { id } = (await trainer.api.post('/sessions', { student_id: body.id, ...times })).body;
    await goLive(carla.page, `/alunos/edit/${body.id}`);
    await carla.page.getByRole('button', { name: 'Gerar link da área do aluno' }).click();
    const link = await carla.page.getByText('/minha-area/').innerText();
    const { page } = await openScreen(app);
    await page.clock.install();
    // The page polls every half minute.
    const shownLater = (text: string) =>
      eventually(async () => {
        await page.clock.fastForward(31_000);
        return page.getByText(text).first().isVisible();
      }, true);
    await page.goto(new URL(link).pathname);
    await page.getByRole('heading', { name: 'Olá, Caio!' }).waitFor();
    await page.getByRole('link', { name: 'Ver extrato' }).click();
    await page.getByRole('heading', { name: 'Extrato de créditos' }).waitFor();
    await page.getByText('Nenhum crédito ainda').waitFor();
    await page.getByRole('link', { name: 'Voltar' }).click();
    await page.getByRole('heading', { name: 'Olá, Caio!' }).waitFor();
    const sessions = page.getByRole('region', { name: 'Próximas Aulas' });
    await sessions.getByRole('link', { name: 'Local a combinar' }).click();
    await page.getByRole('button', { name: 'Desmarcar' }).click();
    await page.getByLabel('Motivo').fill('Viagem');
    await page.getByRole('button', { name: 'Pedir para desmarcar' }).click();
    await sessions.getByText('Pedido enviado').waitFor();
    await trainer.api.post(`/session-requests/${id}/refuse`, { mensagem: null });
    await shownLater('Pedido recusado');
    // A toast may lie over it, and stays as long as the pointer tries.
    await carla.page.getByRole('button', { name: 'Desativar link' }).press('Enter');
    await carla.page.getByText('Link desativado').waitFor();
    await shownLater('Link inválido ou expirado');
  });

  it("keeps students out of trainers' pages, and trainers out of students' pages", async () => {
    const asked: string[] = [];
    bia.page.on('request', (request) => asked.push(request.url()));
    await bia.page.goto('/');
    await bia.page.getByRole('heading', { name: 'Olá, Bia!' }).waitFor();
    const files = (name: string) => asked.filter((url) => url.includes(`/assets/${name}-`));
    // The last part, which is fetched when the page is at rest.
    await eventually(() => Promise.resolve(files('push-renewal').length), 1);
    expect([new URL(bia.page.url()).pathname, files('home')]).toEqual(['/aluno', []]);
    await bia.page.goto('/alunos');
    await denied(bia);
    await carla.page.goto('/aluno');
    await denied(carla);
    await carla.page.getByRole('link', { name: 'Ir para a minha área' }).click();
    await carla.page.getByRole('heading', { name: 'Olá, Carla!' }).waitFor();
    await bia.page.goto('/nao-existe');
    await bia.page.getByRole('heading', { name: '404 · Página não encontrada' }).waitFor();
  });

  it('ends at once, on the open page', async () => {
    await goLive(bia.page, '/aluno');
    await bia.page.getByRole('heading', { name: 'Olá, Bia!' }).waitFor();
    await goLive(carla.page, `/alunos/edit/${studentId}`);
    await carla.page.getByRole('button', { name: 'Encerrar acesso' }).click();
    await denied(bia);
  });

  it('is accepted with an existing account after signing in, and both areas are reachable', async () => {
    const { body } = await trainer.api.post<NewInvite>(`/students/${studentId}/invites`);
    const other = await signUp(app, { nome: 'Davi Reis' });
    await settle(other.api);
    const { page } = await openScreen(app, { width: 1440, height: 900 });
    await page.goto(new URL(body.inviteUrl).pathname);
    await page.getByRole('link', { name: 'Já tenho conta' }).click();
    await signIn({ page, complaints: [] }, other);
    await page.getByText('Aceite o convite para').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.getByRole('button', { name: 'Aceitar convite' }).click();
    await page.getByText('Seu personal: Carla Dias').waitFor();
    // It is used up now, of which nobody complains.
    const ofInvite = asked.filter((url) => url.includes('/api/v1/invites/'));
    expect(ofInvite).toEqual([expect.stringMatching(/\/accept$/)]);

    const elisa = await signUp(app, { nome: 'Elisa Prado' });
    const student = { nome: 'Davi Reis', whatsapp: '(11) 94321-4323' };
    const student_id = (await elisa.api.post('/students', student)).body.id;
    const location_id = (await elisa.api.post('/locations', { nome: 'Estúdio' })).body.id;
    const inicio = addDays(startOfHour(new Date()), 4);
    const fim = new Date(inicio.getTime() + 3_600_000).toISOString();
    await elisa.api.post('/sessions', { student_id, location_id, inicio: inicio.toISOString(), fim });
    const second = await elisa.api.post<NewInvite>(`/students/${student_id}/invites`);
    // A visitor's page waits for nothing: the student has to be there.
    await elisa.api.get(`/students/${student_id}`);
    await page.goto(new URL(second.body.inviteUrl).pathname);
    await page.getByRole('link', { name: 'Aceitar convite' }).click();
    await page.getByText('Aceite o convite para Davi Reis com a sua conta').waitFor();
    // Until the page knows that there is another trainer it shows the previous one, and nothing of the previous one
    // afterwards.
    const readBefore = page.waitForResponse('**/api/v1/student/sessions');
    await page.route('**/api/v1/me', async (route) => {
      await readBefore;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Aceitar convite' }).click();
    const change = (from: string, to: string) =>
      page
        .getByRole('button', { name: `Trocar de conta: ${from}` })
        .click()
        .then(() => page.getByRole('menuitem', { name: to }).click());
    await page.getByText('Seu personal: Elisa Prado').waitFor();
    await page.unroute('**/api/v1/me');
    await page.getByRole('link', { name: 'Estúdio' }).waitFor();
    // On a phone, the choice of the trainer and the sign-out are both completely visible.
    await page.setViewportSize({ width: 360, height: 740 });
    const cut = `[...document.querySelectorAll('header button span')].some((part) => part.scrollWidth > part.clientWidth + 1)`;
    await eventually(() => page.evaluate(cut), false);
    await page.setViewportSize({ width: 1440, height: 900 });
    await change('Aluno de Elisa', 'Aluno de Carla');
    await page.getByText('Seu personal: Carla Dias').waitFor();
    await page.getByRole('link', { name: 'Estúdio' }).waitFor({ state: 'detached' });

    // Of a second student of the same trainer, the own page; the used invite leads to it.
    const sibling = (await trainer.api.post('/students', { nome: 'Duda Reis', whatsapp: '(11) 94321-4324' }))
      .body;
    const third = await trainer.api.post<NewInvite>(`/students/${sibling.id}/invites`);
    // Requests with the link do not wait for projections.
    await trainer.api.get(`/students/${sibling.id}/access`);
    await page.goto(new URL(third.body.inviteUrl).pathname);
    await page.getByRole('link', { name: 'Aceitar convite' }).click();
    await page.getByText('Aceite o convite para Duda Reis com a sua conta').waitFor();
    await page.getByRole('button', { name: 'Aceitar convite' }).click();
    await page.getByText('Página de Duda Reis').waitFor();
    await change('Duda Reis · Carla', 'Bia Lima · Carla');
    await page.getByText('Página de Bia Lima').waitFor();
    const place = (await trainer.api.post('/locations', { nome: 'Pista' })).body.id;
    const [from, to] = [inicio, new Date(fim)].map((at) => addDays(at, -1).toISOString());
    await trainer.api.post('/sessions', {
      student_id: sibling.id,
      location_id: place,
      inicio: from,
      fim: to,
    });
    await page.goto(new URL(third.body.inviteUrl).pathname);
    await page.getByRole('link', { name: 'Entrar' }).click();
    await page.getByText('Página de Duda Reis').waitFor();
    await page.getByRole('link', { name: 'Pista' }).waitFor();
    await page.goto(`/aluno?personal=${trainer.tenantId}&aluno=${studentId}`);
    await page.getByText('Página de Bia Lima').waitFor();
    await page.getByRole('link', { name: 'Quadra' }).waitFor();
    expect(await page.getByRole('link', { name: 'Pista' }).count()).toBe(0);
    await change('Bia Lima · Carla', 'Meu negócio');
    await page.getByRole('heading', { name: 'Olá, Davi!' }).waitFor();
  });

  it('can be shown again if its code was not loaded at first', async () => {
    const { page } = await openScreen(app);
    const code = /\/auth-client-.*\.js$/;
    await page.route(code, (route) => route.abort());
    await page.goto('/auth');
    await signIn({ page, complaints: [] }, trainer);
    await page.getByText('Erro ao fazer login. Tente novamente.').waitFor();
    await page.unroute(code);
    await page.getByRole('button', { name: 'Entrar' }).click();
    await page.getByRole('heading', { name: 'Olá, Carla!' }).waitFor();
  });

  it('requires signing in before a page, which is shown afterwards; signing out in one tab signs out the other', async () => {
    const tab = await carla.page.context().newPage();
    await tab.goto('/financeiro');
    await tab.getByRole('heading', { name: 'Financeiro' }).waitFor();
    await carla.page.bringToFront();
    await goLive(carla.page, '/ajustes');
    await carla.page.getByRole('button', { name: 'Sair' }).click();
    await tab.waitForURL('**/auth?destino=%2Ffinanceiro');
    // After a sign-out the next person does not start on that page.
    await carla.page.waitForURL('**/auth');
    await tab.bringToFront();
    await signIn({ page: tab, complaints: [] }, trainer);
    await tab.getByRole('heading', { name: 'Financeiro' }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/financeiro');
  });
});
