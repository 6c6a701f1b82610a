import { beforeAll, expect, it } from '@jest/globals';
import type { Availability } from '../../backend/modules/availability/availability.api.js';
import type { VacationPage } from '../../backend/modules/vacations/vacations.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { addDays, addMonths, formatLongDay, startOfWeek } from '../../frontend/src/lib/dates.js';
import { allRead, goLive, signedInWindow } from '../e2e/trainer-screen.js';
import type { Screen } from '../support/browser.js';
import { dayOf } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { faults } from '../support/page-faults.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts, letToastsGo, undo } from '../support/toasts.js';

describeWithChromium('the settings of the agenda', () => {
  let trainer: Trainer;
  let phone: Screen;
  let session: string;

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    const { student, book } = agendaOf(trainer.api);
    const times = { inicio: '2030-03-12T13:00:00.000Z', fim: '2030-03-12T14:00:00.000Z' };
    session = await book({ student_id: await student('Ana Souza'), ...times });
    const horarios = [1, 2].flatMap((day_of_week) => [
      { day_of_week, start_time: '09:00', end_time: '17:00', is_blocked: false },
      { day_of_week, start_time: '12:00', end_time: '13:00', is_blocked: true },
    ]);
    await trainer.api.put('/availability', { horarios });
    phone = await signedInWindow(app, trainer);
  });

  it('activate a vacation after showing its sessions, prepare the messages, and undo it', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?abrir=ferias');
    const sheet = page.getByRole('dialog', { name: 'Modo Férias' });
    const activate = sheet.getByRole('button', { name: 'Ativar férias' });
    await activate.click();
    await page.getByText('Preencha as datas de início e término.').waitFor();
    await sheet.getByLabel('Data de início').fill('10/03/2030');
    await sheet.getByLabel('Data de término').fill('09/03/2030');
    await activate.click();
    await page.getByText('Datas inválidas').waitFor();
    await sheet.getByLabel('Data de término').fill('25/03/2030');
    await sheet.getByText('Remarcar', { exact: true }).click();
    await sheet.getByText(/remarcada para ter., 2 de abr\./).waitFor();
    await sheet.getByText('Cancelar', { exact: true }).click();
    await sheet.getByLabel('Data de término').fill('16/03/2030');
    await sheet.getByText('1 sessão agendada nesses dias.').waitFor();
    await activate.click();
    await page.getByText('Modo férias ativado').waitFor();
    const link = sheet.getByRole('link', { name: 'Enviar pelo WhatsApp' });
    expect(await link.getAttribute('href')).toContain('https://wa.me/5511943214321?text=Oi%2C%20Ana!');
    const status = async () => (await agendaOf(trainer.api).get(session)).status;
    await eventually(status, 'cancelada');

    await sheet.getByRole('button', { name: 'Voltar' }).click();
    await sheet.getByText('10/03/2030 a 16/03/2030', { exact: true }).waitFor();
    await sheet.getByRole('button', { name: 'Desfazer tudo' }).click();
    const price = page.getByRole('dialog', { name: 'Desfazer tudo' });
    await price.getByText('Agenda de novo 1 sessão de Ana').waitFor();
    await price.getByRole('button', { name: 'Desfazer tudo' }).click();
    await page.getByText('Férias desfeitas').waitFor();
    await eventually(status, 'agendada');
    await eventually(async () => (await trainer.api.get<VacationPage>('/vacations')).body.items, []);
  });

  it('keep an exception by date, and remove it', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?abrir=horarios');
    const sheet = page.getByRole('dialog', { name: 'Configurar Horários' });
    const exceptions = async () => (await trainer.api.get<Availability>('/availability')).body.excecoes;
    // Seven lines, without a scroll.
    await eventually(() => sheet.getByRole('switch', { name: /: atende$/ }).count(), 7);
    const lines = (await sheet.getByRole('list').first().boundingBox())!;
    expect(lines.height).toBeLessThan(400);
    await sheet.getByRole('button', { name: 'Segunda 9:00–17:00 · pausa 12–13' }).click();
    // The third Saturday of the next month, on which the week of this trainer is closed.
    await sheet.getByRole('button', { name: 'Próximo mês' }).click();
    const next = addMonths(`${dayOf().slice(0, 7)}-01`, 1);
    const saturday = addDays(startOfWeek(next), 20);
    await sheet.getByRole('button', { name: formatLongDay(saturday) }).click();
    await sheet.getByText('normalmente fechado').waitFor();
    await sheet.getByRole('button', { name: 'Adicionar exceção' }).click();
    await sheet.getByText('Aberto das 8:00 às 12:00').waitFor();
    await sheet.getByRole('button', { name: /, com exceção$/ }).waitFor();
    expect(await faults(phone, 'Exceções por data')).toEqual([]);
    const horarios = [{ start_time: '08:00', end_time: '12:00', is_blocked: false }];
    await eventually(exceptions, [{ data: saturday, horarios }]);

    await sheet.getByRole('button', { name: 'Remover', exact: true }).click();
    await page.getByText('Exceção removida').waitFor();
    await eventually(exceptions, []);
  });

  it('switch holidays, which the calendar shows by name', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?modo=dia&dia=2030-12-25');
    const named = page.getByText('Feriado: Natal');
    await named.waitFor();
    await goLive(page, '/ajustes/feriados');
    const christmas = page.getByRole('switch', { name: /^Natal/ }).first();
    await christmas.waitFor();
    await eventually(() => christmas.isChecked(), true);
    await holdToasts(page);
    // It is shown before the server has answered, and opening the next address would abort the request.
    const [answer] = await Promise.all([
      page.waitForResponse(
        (response) => response.request().method() !== 'GET' && /\/holidays/.test(response.url()),
      ),
      christmas.click({ force: true }),
    ]);
    expect(answer.ok()).toBe(true);
    await eventually(() => christmas.isChecked(), false);
    await page.getByText('Feriado desativado').waitFor();
    await undo(page, 'Feriado desativado');
    await page.getByText('Desativação desfeita').waitFor();
    await eventually(() => christmas.isChecked(), true);
    await eventually(() => page.getByText('Feriado desativado').count(), 0);
    await christmas.click({ force: true });
    await page.getByText('Feriado desativado').waitFor();
    await letToastsGo(page);
    await allRead(trainer);
    await goLive(page, '/agenda?modo=semana&dia=2030-12-31');
    await page.getByText('Feriado: Confraternização Universal').waitFor();

    await goLive(page, '/ajustes/feriados');
    await page.getByLabel('Nome').fill('Aniversário da cidade');
    await page.getByLabel('Data', { exact: true }).fill('20/12/2025');
    await page.getByRole('button', { name: 'Adicionar', exact: true }).click();
    await page
      .getByRole('switch', { name: /^Aniversário da cidade/ })
      .first()
      .waitFor();
    await allRead(trainer);
    await goLive(page, '/agenda?modo=mes&dia=2030-12-01');
    await page.getByText('Feriado: Aniversário da cidade').waitFor();
    await eventually(() => named.count(), 0);
  });
});
