import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { StudentPage } from '../../backend/modules/students/students.api.js';
import { sheet as workbook, zipOf } from '../../frontend/spec/workbook.js';
import { agendaOf } from '../agenda/trainer.js';
import type { TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts } from '../support/toasts.js';
import { goLive, signedInWindow } from './trainer-screen.js';

const HOUR_MS = 3_600_000;
const fromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

describeWithChromium('what a trainer types and is told', () => {
  let app: TestApp;
  let trainer: Trainer;
  let agenda: ReturnType<typeof agendaOf>;
  let page: Page;
  let complaints: string[];
  let ana: string;
  let gym: string;

  const sheet = () => page.getByRole('dialog');
  const press = (name: string) => sheet().getByRole('button', { name, exact: true }).click();
  const leave = async (field: string, text: string) => {
    await sheet().getByLabel(field).fill(text);
    await sheet().getByLabel(field).blur();
  };
  const said = async (field: string) => {
    const input = sheet().getByLabel(field);
    await input.and(page.locator('[aria-invalid=true]')).waitFor();
    const id = (await input.getAttribute('aria-describedby'))!
      .split(' ')
      .find((each) => each.endsWith('error'));
    return page.locator(`[id="${id}"]`).innerText();
  };
  const book = (hours: number) =>
    agenda.book({
      student_id: ana,
      location_id: gym,
      inicio: fromNow(hours),
      fim: fromNow(hours + 1),
      permitir_conflito: true,
    });

  beforeAll(async () => {
    app = await sharedApp();
    trainer = await signUp(app);
    agenda = agendaOf(trainer.api);
    ana = await agenda.student('Ana Souza', await agenda.plan({ valor: 36_000, creditos: 4 }));
    gym = await agenda.location('Academia');
    await agenda.renew(ana);
    const policy = { cancel_limite_horas: 24, taxa_percent: 50, queima_credito: true };
    await trainer.api.put(`/locations/${gym}/policy`, policy);
    ({ page, complaints } = await signedInWindow(app, trainer));
  });

  const openCancellation = async (hours: number) => {
    const session = await book(hours);
    await goLive(page, `/agenda?sessao=${session}`);
    await press('Cancelar');
    return session;
  };
  const outcomeOf = async (id: string) => {
    const { status, usou_credito, taxa } = await agenda.get(id);
    return { status, usou_credito, taxa };
  };

  it('charges the cost that was announced before cancelling, and shows it in the same words', async () => {
    const session = await openCancellation(5);
    await sheet().getByLabel('O aluno avisou fora do prazo').check();
    await sheet().getByText('desconta 1 crédito e cobra taxa de R$ 45,00.').waitFor();
    const before = await agenda.balance(ana);
    await press('Cancelar sessão');
    await page.getByText('Descontou 1 crédito e cobrou taxa de R$ 45,00.').waitFor();
    await eventually(() => agenda.balance(ana), before - 1);
    expect(await outcomeOf(session)).toEqual({ status: 'cancelada', usou_credito: true, taxa: 4500 });
  });

  it('forgives only with a reason, and then shows no cost', async () => {
    const session = await openCancellation(5);
    await sheet().getByLabel('O aluno avisou fora do prazo').check();
    await sheet().getByText('Perdoar desta vez').click();
    await sheet().getByText('Perdoado desta vez: não cobra nada.').waitFor();
    await eventually(() => sheet().getByText('desconta 1 crédito').count(), 0);
    await press('Cancelar sessão');
    expect(await said('Por quê?')).toBe('Informe por que perdoar desta vez');
    await sheet().getByLabel('Por quê?').fill('Febre');
    await press('Cancelar sessão');
    await page.getByText('Não cobrou nada.').waitFor();
    await eventually(() => outcomeOf(session), { status: 'cancelada', usou_credito: false, taxa: 0 });
  });

  it('offers no-show once the session has begun, and charges the announced cost', async () => {
    await openCancellation(5);
    await eventually(() => sheet().getByLabel('O aluno faltou').isDisabled(), true);
    const session = await openCancellation(-1);
    await sheet().getByLabel('O aluno faltou').check();
    await sheet().getByText('desconta 1 crédito e cobra taxa de R$ 45,00.').waitFor();
    const before = await agenda.balance(ana);
    await press('Cancelar sessão');
    await page.getByText('Descontou 1 crédito e cobrou taxa de R$ 45,00.').waitFor();
    await eventually(() => agenda.balance(ana), before - 1);
    expect(await outcomeOf(session)).toEqual({ status: 'cancelada', usou_credito: true, taxa: 4500 });
  });

  it('shows how a day and a time are typed, and offers no hours for an invalid day', async () => {
    // Tomorrow, because late in the evening today has no free time left.
    await goLive(page, `/agenda?dia=${fromNow(24).slice(0, 10)}&novo=agendamento`);
    await sheet().getByRole('group', { name: 'Horários livres' }).waitFor();
    await leave('Data', '25/13/2026');
    expect(await said('Data')).toBe('Informe o dia como 25/12/2026');
    await eventually(() => sheet().getByRole('group', { name: 'Horários livres' }).count(), 0);
    await leave('Horário de início', '25:00');
    expect(await said('Horário de início')).toBe('Informe o horário como 07:30');
    await leave('Horário de término', '');
    await press('Agendar');
    expect(await said('Horário de término')).toBe('Informe o horário como 07:30');
    expect(await said('Data')).toBe('Informe o dia como 25/12/2026');
    expect(await said('Horário de início')).toBe('Informe o horário como 07:30');
  });

  it('imports students from a sheet after a preview, and undoes that', async () => {
    const total = async () => (await trainer.api.get<StudentPage>('/students')).body.total;
    const before = await total();
    const sheetOf = (rows: string[][]) =>
      Buffer.from(rows.map((row) => row.join(';')).join('\r\n'), 'latin1');
    const rows = [
      ['Aluna', 'Celular', 'Pacote', 'Aulas', 'Validade'],
      ['Bia Conceição', '21 98765-4321', 'pacote 4', '3', '31/12/2090'],
      ['Caio Lima', '98765-4322', 'Ouro', '', ''],
      ['Davi', '123', '', '', ''],
      ['Ana de novo', '11943214321', '', '', ''],
    ];
    await goLive(page, '/alunos/importar');
    const buffer = sheetOf(rows);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'alunos.csv', mimeType: 'text/csv', buffer });
    await page.getByText('WhatsApp inválido: 98765-4322').waitFor();
    await page.getByText('WhatsApp inválido: 123').waitFor();
    await page.getByText('Mesmo WhatsApp de Ana Souza').waitFor();
    await page.getByRole('button', { name: 'Importar 1 aluno' }).waitFor();
    await page.getByLabel('DDD dos números sem DDD').fill('21');
    await page.getByLabel('Plano de quem tem “Ouro”').selectOption({ label: 'Pacote 4' });
    await page.getByRole('button', { name: 'Importar 2 alunos' }).click();
    await page.getByText('2 alunos importados').waitFor();
    await page.getByText('2 linhas ficaram de fora.').waitFor();
    const caio = async () => {
      const { items } = (await trainer.api.get<StudentPage>('/students', { query: { q: 'caio' } })).body;
      return items.map(({ telefone, plano }) => [telefone, plano?.nome]);
    };
    await eventually(caio, [['+5521987654322', 'Pacote 4']]);
    await page.getByRole('link', { name: 'Ver alunos' }).click();
    await page.getByText('Bia Conceição').waitFor();
    await goLive(page, '/alunos/importar');
    await page.getByRole('button', { name: 'Desfazer importação' }).click();
    const price = page.getByRole('dialog', { name: 'Desfazer importação' });
    await price.getByText('Remove 2 alunos').waitFor();
    await price.getByRole('button', { name: 'Desfazer importação' }).click();
    await page.getByText('Importação desfeita').waitFor();
    await eventually(total, before);
  });

  it('reads a large sheet in a thread of its own, refuses a hostile one, and stays alive', async () => {
    await goLive(page, '/alunos/importar');
    const before = complaints.length;
    const choose = (buffer: Buffer) =>
      page.locator('input[type=file]').setInputFiles({ name: 'alunos.xlsx', mimeType: '', buffer });
    await choose(await zipOf({ 'xl/worksheets/sheet1.xml': Buffer.alloc(70_000_000) }));
    await page.getByText('Este arquivo é grande demais.').waitFor();
    const cell = (column: string, text: string) =>
      `<c r="${column}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = Array.from(
      { length: 5_000 },
      (_, at) => `<row>${cell(`A${at + 2}`, 'Zeca')}${cell(`B${at + 2}`, `(11) 9${80_000_000 + at}`)}</row>`,
    );
    const header = `<row>${cell('A1', 'Nome')}${cell('B1', 'WhatsApp')}</row>`;
    await choose(await zipOf(workbook(header + rows.join(''))));
    await page.getByRole('button', { name: 'Importar 5.000 alunos' }).waitFor();
    expect(complaints.slice(before)).toEqual([]);
  });

  it("lays no toast over the button of a page's form", async () => {
    await goLive(page, '/ajustes/conta');
    await holdToasts(page);
    const save = page.getByRole('button', { name: 'Salvar perfil' });
    // The button stands where toasts appear.
    await page.evaluate('scrollTo(0, 0)');
    const { y, height } = (await save.boundingBox())!;
    await page.setViewportSize({ width: 390, height: Math.round(y + height) + 90 });
    for (const [times, name] of ['Rita Nova', 'Rita Prado'].entries()) {
      await page.getByLabel('Nome', { exact: true }).fill(name);
      // A click would scroll the button out from under a toast.
      await page.keyboard.press('Enter');
      await page.getByText('Perfil salvo').nth(times).waitFor();
    }
    const isClear = () =>
      page.evaluate<boolean>(`{
        const toasts = [...document.querySelectorAll('[data-sonner-toast]')];
        const top = Math.min(...toasts.map((toast) => toast.getBoundingClientRect().top));
        const save = document.querySelector('main form [type=submit]');
        toasts.length === 2 && save.getBoundingClientRect().bottom <= top;
      }`);
    await eventually(isClear, true);
  });
});
