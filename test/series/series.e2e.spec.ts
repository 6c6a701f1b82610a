import { beforeAll, expect, it } from '@jest/globals';
import { agendaOf } from '../agenda/trainer.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import type { Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { more } from '../support/sheets.js';
import { holdToasts, undo } from '../support/toasts.js';
import { seriesOf } from './trainer.js';

describeWithChromium('a series', () => {
  let trainer: Trainer;
  let phone: Screen;

  /** Dates and times of the sessions, with the status of those that are not scheduled. */
  const said = async () =>
    (await seriesOf(trainer.api).sessions()).map(({ inicio, status }) => {
      const local = new Date(Date.parse(inicio) - 3 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
      return status === 'agendada' ? local : `${local} ${status}`;
    });
  const WEEKS = ['2030-03-12 07:00', '2030-03-26 07:00', '2030-04-02 07:00'];

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    const { student, book } = agendaOf(trainer.api);
    await student('Ana Souza');
    const bia = await student('Bia Lima');
    const [inicio, fim] = ['2030-03-19T10:30:00.000Z', '2030-03-19T11:30:00.000Z'];
    await agendaOf(trainer.api).cancel(await book({ student_id: bia, inicio, fim }));
    await trainer.api.post('/holidays', { nome: 'Aniversário da cidade', data: '2030-03-19', anual: false });
    phone = await signedInWindow(app, trainer);
  });

  it('is booked after skipped dates were shown', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?novo=agendamento&em=2030-03-12&as=07:00');
    const sheet = page.getByRole('dialog', { name: 'Novo agendamento' });
    await sheet.getByText('Ana Souza').first().click();
    await sheet.getByRole('button', { name: 'Toda semana' }).click();
    await eventually(() => sheet.getByRole('button', { name: 'Terça' }).getAttribute('aria-pressed'), 'true');
    await sheet.getByLabel('Termina').selectOption('vezes');
    await sheet.getByLabel('Vezes').fill('4');
    await sheet.getByRole('button', { name: 'Ver sessões' }).click();
    await sheet.getByText('Toda terça, 7:00, até 02/04/2030').waitFor();
    await sheet.getByText('3 sessões, 1 data pulada').waitFor();
    await sheet.getByText('Feriado: Aniversário da cidade. Será pulada.').waitFor();
    await sheet.getByRole('button', { name: 'Agendar 3 sessões' }).click();
    await page.getByText('Horário fixo agendado').waitFor();
    await eventually(said, [WEEKS[0], '2030-03-19 07:30 cancelada', ...WEEKS.slice(1)]);
  });

  it('is described in its sessions, and moves from one of them on', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?modo=dia&dia=2030-03-26');
    await page.getByRole('button', { name: /Agendada.*Ana Souza/ }).click();
    const sheet = page.getByRole('dialog', { name: /^Ana Souza · / });
    await sheet.getByText('Toda terça, 7:00, até 02/04/2030').waitFor();
    await sheet.getByRole('button', { name: 'Remarcar' }).click();
    const move = page.getByRole('dialog', { name: 'Remarcar sessão' });
    await move.getByLabel('Horário de início').fill('08:00');
    await move.getByRole('button', { name: 'Remarcar', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Remarcar quais sessões?' });
    await holdToasts(page);
    await question.getByRole('button', { name: 'Esta e as próximas' }).click();
    await page.getByText('Horário fixo atualizado').waitFor();
    const moved = ['2030-03-26 08:00', '2030-04-02 08:00'];
    await eventually(said, [WEEKS[0], '2030-03-19 07:30 cancelada', ...moved]);
    await undo(page, 'Horário fixo atualizado');
    await page.getByText('Alteração desfeita').waitFor();
    await eventually(said, [WEEKS[0], '2030-03-19 07:30 cancelada', ...WEEKS.slice(1)]);
  });

  it('changes its weekdays from one of its sessions on, and back', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?modo=dia&dia=2030-03-26');
    await page.getByRole('button', { name: /Agendada.*Ana Souza/ }).click();
    const sheet = page.getByRole('dialog', { name: /^Ana Souza · / });
    await more(sheet, 'Mudar dias');
    const form = page.getByRole('dialog', { name: 'Dias do horário fixo' });
    await form.getByRole('button', { name: 'Quinta' }).click();
    await form.getByRole('button', { name: 'Salvar' }).click();
    const question = page.getByRole('dialog', { name: 'Mudar os dias de quais sessões?' });
    expect(await question.getByRole('button', { name: 'Só esta' }).count()).toBe(0);
    await holdToasts(page);
    await question.getByRole('button', { name: 'Esta e as próximas' }).click();
    await page.getByText('Horário fixo atualizado').waitFor();
    const [first, second, third] = WEEKS;
    // It keeps its number of sessions: the Thursday replaces the last Tuesday.
    const thursday = '2030-03-28 07:00';
    await eventually(said, [first, '2030-03-19 07:30 cancelada', second, thursday]);
    await undo(page, 'Horário fixo atualizado');
    // What was said in the sheet of the case before stands here too.
    await page.getByText('Alteração desfeita').last().waitFor();
    await eventually(said, [first, '2030-03-19 07:30 cancelada', second, third]);
  });

  it('gets another student from a session on, who leaves it again', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?modo=dia&dia=2030-03-26');
    await page.getByRole('button', { name: /Agendada.*Ana Souza/ }).click();
    const sheet = page.getByRole('dialog', { name: /^Ana Souza · / });
    await more(sheet, 'Adicionar aluno');
    const form = page.getByRole('dialog', { name: 'Adicionar aluno' });
    await form.getByRole('button', { name: /^Bia/ }).click();
    await form.getByRole('button', { name: 'Adicionar', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Adicionar a quais sessões?' });
    await question.getByRole('button', { name: 'Esta e as próximas' }).click();
    await page.getByText('Aluno adicionado ao horário fixo').waitFor();
    await goLive(page, '/agenda?modo=dia&dia=2030-04-02');
    await page.getByRole('button', { name: /Agendada.*7:00–8:00.*Ana e Bia/ }).click();
    const both = page.getByRole('dialog', { name: /^Ana e Bia · / });
    await both.getByText('Toda terça, 7:00').waitFor();
    await both.getByRole('button', { name: /^(?=.*Bia)/ }).click();
    const bia = page.getByRole('dialog', { name: /^Bia Lima · / });
    await more(bia, 'Remover do horário');
    await page
      .getByRole('dialog', { name: 'Excluir quais sessões?' })
      .getByRole('button', { name: 'Todas' })
      .click();
    await page.getByText('Horário fixo excluído').waitFor();
    await page.getByRole('button', { name: /Agendada.*7:00–8:00.*Ana Souza/ }).waitFor();
  });

  it('is booked for two students at once', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?novo=agendamento&em=2030-05-07&as=09:00');
    const sheet = page.getByRole('dialog', { name: 'Novo agendamento' });
    await sheet.getByText('Ana Souza').first().click();
    await sheet.getByRole('button', { name: 'Adicionar outro aluno' }).click();
    await sheet.getByText('Bia Lima').first().click();
    await sheet.getByRole('button', { name: 'Toda semana' }).click();
    await sheet.getByLabel('Termina').selectOption('vezes');
    await sheet.getByLabel('Vezes').fill('2');
    await sheet.getByRole('button', { name: 'Ver sessões' }).click();
    await sheet.getByText('2 datas para 2 alunos: 4 sessões').waitFor();
    await holdToasts(page);
    await sheet.getByRole('button', { name: 'Agendar 4 sessões' }).click();
    await page.getByText('Horário fixo agendado').waitFor();
    const ofMay = async () => (await said()).filter((one) => one.startsWith('2030-05'));
    const [first, second] = ['2030-05-07 09:00', '2030-05-14 09:00'];
    await eventually(ofMay, [first, first, second, second]);
    await undo(page, 'Horário fixo agendado');
    await page.getByText('Agendamento desfeito').waitFor();
    await eventually(ofMay, []);
  });

  it('is deleted as a whole, and restored', async () => {
    const { page } = phone;
    await goLive(page, '/agenda?modo=dia&dia=2030-04-02');
    await page.getByRole('button', { name: /Agendada.*Ana Souza/ }).click();
    const sheet = page.getByRole('dialog', { name: /^Ana Souza · / });
    await more(sheet, 'Excluir');
    const question = page.getByRole('dialog', { name: 'Excluir quais sessões?' });
    await question.waitFor();
    await page.goBack();
    await question.waitFor({ state: 'detached' });
    await more(sheet, 'Excluir');
    await holdToasts(page);
    await question.getByRole('button', { name: 'Todas' }).click();
    await page.getByText('Horário fixo excluído').waitFor();
    await eventually(said, ['2030-03-19 07:30 cancelada']);
    await undo(page, 'Horário fixo excluído');
    await page.getByText('Exclusão desfeita').waitFor();
    await eventually(said, [WEEKS[0], '2030-03-19 07:30 cancelada', ...WEEKS.slice(1)]);
  });
});
