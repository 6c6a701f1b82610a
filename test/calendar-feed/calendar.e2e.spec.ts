import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { beforeAll, expect, it } from '@jest/globals';
import type { OtherCalendar } from '../../backend/modules/other-calendar/other-calendar.api.js';
import type { ReminderList, RemindersWaiting } from '../../backend/modules/reminders/reminders.api.js';
import { PrepareReminders } from '../../backend/modules/reminders/reminders.commands.js';
import { agendaOf } from '../agenda/trainer.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import type { TestApp } from '../support/app.js';
import { axeFindings } from '../support/axe.js';
import { openScreen, type Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts, letToastsGo, undo } from '../support/toasts.js';
import { expectToLookWell, openLightly } from '../support/written-screen.js';

describeWithChromium('the agenda elsewhere', () => {
  let app: TestApp;
  let trainer: Trainer;
  let phone: Screen;
  let locationId: string;

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    const { student, book, location } = agendaOf(trainer.api);
    locationId = await location('Parque da Cidade');
    const due = { student_id: await student('Ana Souza'), inicio: '2030-03-12T13:00:00.000Z' };
    const session_id = await book({ ...due, fim: '2030-03-12T14:00:00.000Z', location_id: locationId });
    const { tenantId } = trainer;
    const context = {
      tenantId,
      userId: tenantId,
      role: 'personal' as const,
      studentId: null,
      timezone: 'America/Sao_Paulo',
      requestId: randomUUID(),
      device: null,
      idempotency: null,
    };
    await app.nest.get(CommandBus).execute(new PrepareReminders(context, [{ ...due, session_id }]));
    phone = await signedInWindow(app, trainer);
  });

  const waiting = async () => (await trainer.api.get<RemindersWaiting>('/reminders/waiting')).body.total;
  const reminder = async () => (await trainer.api.get<ReminderList>('/reminders')).body.items[0]!;
  const isFine = async ({ page }: Screen) => expect(await axeFindings(page)).toEqual([]);

  it('has a secret address, which is switched on, without names, switched off and restored', async () => {
    const { page } = phone;
    await goLive(page, '/ajustes/calendario');
    const activate = page.getByRole('button', { name: 'Ativar link do calendário' });
    await holdToasts(page);
    await activate.click();
    await undo(page, 'Link ativado');
    await page.getByText('Ativação desfeita').waitFor();
    await letToastsGo(page);
    await activate.click();
    const url = page.getByText(/\/calendario\/[\w-]{32}\.ics$/);
    await url.waitFor();
    const path = new URL((await url.textContent())!).pathname;
    const feed = async () => (await fetch(`${app.url}${path}`)).status;
    await eventually(feed, 200);
    await page.getByRole('switch', { name: /^Mostrar nomes/ }).click();
    await page.getByText('Quem tem o link vê só “Sessão” e o horário.').waitFor();
    await isFine(phone);
    await holdToasts(page);
    await page.getByRole('button', { name: 'Desativar link' }).click();
    await page.getByText('Link desativado').waitFor();
    await eventually(feed, 404);
    await undo(page, 'Link desativado');
    await letToastsGo(page);
    await url.waitFor();
    await eventually(feed, 200);
  });

  it('is blocked by another calendar, and shows that this cannot be read', async () => {
    const { page } = phone;
    // Without the toasts of the previous test, which would cover the button.
    await goLive(page, '/ajustes/calendario');
    await page.getByLabel('Endereço do calendário').fill('https://127.0.0.1/basic.ics');
    await holdToasts(page);
    await page.getByRole('button', { name: 'Conectar calendário' }).click();
    await page.getByRole('button', { name: 'Desconectar' }).waitFor();
    await undo(page, 'Calendário conectado');
    await page.getByText('Conexão desfeita').waitFor();
    await goLive(page, '/ajustes/calendario');
    await page.getByLabel('Endereço do calendário').fill('https://127.0.0.1/basic.ics');
    await page.getByRole('button', { name: 'Conectar calendário' }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: /Não foi possível ler 127\.0\.0\.1 desde/ })
      .waitFor();
    await page.getByRole('button', { name: 'Desconectar' }).click();
    await page.getByLabel('Endereço do calendário').waitFor();
    await eventually(
      async () => (await trainer.api.get<OtherCalendar>('/other-calendar')).body.calendario,
      null,
    );
  });

  it('has its links in one place, with their QR Codes', async () => {
    const { page } = phone;
    const { body: closed } = await trainer.api.post('/locations', { nome: 'Sala fechada' });
    await trainer.api.patch(`/locations/${closed.id}`, { is_active: false });
    await goLive(page, '/agenda');
    await page.getByRole('button', { name: 'Mais da agenda' }).click();
    await page.getByRole('menuitem', { name: 'Links públicos' }).click();
    const sheet = page.getByRole('dialog', { name: 'Links públicos' });
    await sheet.getByText(new RegExp(`/p/[a-z0-9-]+/${locationId}$`)).waitFor();
    await sheet.getByText(new RegExp(`/agenda/${trainer.tenantId}$`)).waitFor();
    expect(await sheet.getByText(closed.id).count()).toBe(0);
    await sheet.getByRole('button', { name: 'QR Code: Link geral' }).click();
    await sheet.getByRole('img', { name: 'QR Code: Link geral' }).waitFor();
    await isFine(phone);
    await sheet.getByRole('button', { name: 'Ana Souza' }).click();
    await sheet.getByRole('button', { name: 'Gerar Link de Convite' }).click();
    await sheet.getByText(/\/convite\/[\w-]+$/).waitFor();
  });

  it('has reminders: the trainer sends one with one tap and undoes that, the student confirms with one tap', async () => {
    const { page } = phone;
    await goLive(page, '/');
    await page.getByRole('link', { name: '1 lembrete' }).click();
    const sheet = page.getByRole('dialog', { name: 'Lembretes' });
    const send = sheet.getByRole('link', { name: 'Enviar pelo WhatsApp: Ana Souza' });
    await send.waitFor();
    await isFine(phone);
    expect(await send.getAttribute('href')).toContain('https://wa.me/5511943214321?text=Oi%2C%20Ana!');
    await page.context().route('https://wa.me/**', (route) => route.fulfill({ body: '' }));
    await holdToasts(page);
    await send.click();
    await eventually(waiting, 0);
    await page.getByRole('button', { name: 'Desfazer', exact: true }).first().click();
    await eventually(waiting, 1);

    const path = /\/confirmar\/[\w-]{32}/.exec((await reminder()).texto)![0];
    const student = await openScreen(app, { timezoneId: 'Asia/Tokyo' });
    await openLightly(student.page, path);
    await student.page.getByRole('heading', { name: 'Sua aula com Ana Personal' }).waitFor();
    await student.page.getByText('horário de Brasília').waitFor();
    await expectToLookWell(student.page);
    expect((await reminder()).confirmado_em).toBeNull();
    await student.page.getByRole('button', { name: 'Confirmar presença' }).dblclick();
    await student.page.getByText('Presença confirmada', { exact: true }).waitFor();
    await expectToLookWell(student.page);
    await sheet.getByText('Confirmou').waitFor();
    await student.page.reload();
    await student.page.getByText('Presença confirmada', { exact: true }).waitFor();
    expect(await student.page.getByRole('button', { name: 'Confirmar presença' }).count()).toBe(0);
    expect(student.complaints).toEqual([]);
  });
});
