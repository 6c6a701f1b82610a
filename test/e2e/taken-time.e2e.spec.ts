import { beforeAll, expect, it } from '@jest/globals';
import type { Locator } from 'playwright-core';
import type { SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import { agendaOf } from '../agenda/trainer.js';
import type { Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { goLive, signedInWindow } from './trainer-screen.js';

const day = '2030-03-12';
/** An hour of that day in São Paulo. */
const at = (hour: number) => `${day}T${hour + 3}:00:00.000Z`;
/** The Mantine variant of a button; null for a form's main button, which names none. */
const variantOf = (button: Locator) => button.getAttribute('data-variant');

describeWithChromium('a time that is taken', () => {
  let trainer: Trainer;
  let phone: Screen;
  let bruno: string;

  const startsOfBruno = async () =>
    (await trainer.api.get<SessionPage>(`/sessions?student_id=${bruno}`)).body.items.map(
      ({ inicio }) => inicio,
    );

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    const { student, book } = agendaOf(trainer.api);
    bruno = await student('Bruno Lima');
    await book({ student_id: await student('Ana Souza'), inicio: at(10), fim: at(11) });
    phone = await signedInWindow(app, trainer);
  });

  it('is answered with the nearest free time as the main button, and with sharing it as the secondary one', async () => {
    const { page } = phone;
    await goLive(page, `/agenda?dia=${day}&novo=agendamento&em=${day}`);
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: /Bruno Lima/ }).click();
    await sheet.getByLabel('Horário de início').fill('10:00');
    await sheet.getByRole('button', { name: 'Agendar', exact: true }).click();
    await sheet.getByText(/^Ana já tem sessão/).waitFor();
    expect(await variantOf(sheet.getByRole('button', { name: 'Usar 11:00' }))).toBe(null);
    expect(await variantOf(sheet.getByRole('button', { name: 'Agendar mesmo assim' }))).toBe('subtle');
    await eventually(() => sheet.getByRole('button', { name: 'Tentar de novo' }).count(), 0);
  });

  it('is no longer mentioned once another time is chosen', async () => {
    const sheet = phone.page.getByRole('dialog');
    await sheet.getByLabel('Horário de início').fill('14:00');
    await sheet.getByRole('button', { name: 'Agendar', exact: true }).waitFor();
    await eventually(() => sheet.getByRole('alert').count(), 0);
    await sheet.getByLabel('Horário de início').fill('10:00');
    await sheet.getByRole('button', { name: 'Usar 11:00' }).waitFor();
  });

  it('is replaced with one tap, which books the free one', async () => {
    const { page } = phone;
    await page.getByRole('dialog').getByRole('button', { name: 'Usar 11:00' }).click();
    await page.getByText('Agendamento criado com sucesso!').waitFor();
    await page.getByRole('button', { name: /11:00.*Bruno Lima/ }).waitFor();
    await eventually(startsOfBruno, [at(11)]);
  });

  it('is also refused to a session that is moved there, which does not conflict with itself', async () => {
    const { page } = phone;
    await page.getByRole('button', { name: /Agendada.*Bruno Lima/ }).click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Editar' }).click();
    await sheet.getByLabel('Horário de início').fill('10:30');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await sheet.getByRole('button', { name: 'Salvar mesmo assim' }).waitFor();
    await sheet.getByRole('button', { name: 'Usar 11:30' }).click();
    await page.getByText('Agendamento atualizado com sucesso!').waitFor();
    await eventually(startsOfBruno, [at(11).replace(':00:', ':30:')]);
    phone.complaints.splice(0);
  });
});
