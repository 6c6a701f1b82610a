import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { StudentPage } from '../../backend/modules/students/students.api.js';
import { sheet as workbook, zipOf } from '../../frontend/spec/workbook.js';
import { agendaOf } from '../agenda/trainer.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts } from '../support/toasts.js';
import { goLive, signedInWindow } from './trainer-screen.js';

describeWithChromium('what a trainer types and is told', () => {
  let trainer: Trainer;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    const { plan, student } = agendaOf(trainer.api);
    await student('Ana Souza', await plan({ valor: 36_000, creditos: 4 }));
    ({ page, complaints } = await signedInWindow(app, trainer));
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
