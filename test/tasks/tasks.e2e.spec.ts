import { afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TaskLists, TaskPage } from '../../backend/modules/tasks/tasks.api.js';
import { goLive, signedInWindow } from '../e2e/trainer-screen.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts, letToastsGo, undo } from '../support/toasts.js';

describeWithChromium('tasks', () => {
  let trainer: Trainer;
  let page: Page;
  let complaints: string[];

  const open = () => page.getByRole('list', { name: 'Tarefas em aberto' });
  const shown = () => open().locator('[data-item]').allInnerTexts();
  const titles = async () => (await shown()).map((text) => text.split('\n')[0]);
  const check = (titulo: string) => page.getByRole('checkbox', { name: `Concluída: ${titulo}` });
  const task = (titulo: string) => open().getByRole('button', { name: new RegExp(`^${titulo}`) });
  const stored = async () =>
    (await trainer.api.get<TaskPage>('/tasks')).body.items.map(({ titulo }) => titulo);
  const create = async (titulo: string, more?: () => Promise<unknown>) => {
    await page.getByRole('link', { name: 'Nova tarefa' }).first().click();
    const sheet = page.getByRole('dialog');
    await sheet.getByLabel('Título').fill(titulo);
    await more?.();
    await sheet.getByRole('button', { name: 'Criar tarefa' }).click();
    await page.getByText('Tarefa criada com sucesso!').first().waitFor();
    await task(titulo).waitFor();
  };

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    ({ page, complaints } = await signedInWindow(app, trainer));
    await goLive(page, '/agenda');
    await page.getByRole('button', { name: 'Mais da agenda' }).click();
    await page.getByRole('menuitem', { name: 'Tarefas' }).click();
    await page.getByText('Nenhuma tarefa nesta lista').waitFor();
  });

  afterEach(() => expect(complaints).toEqual([]));

  it('are created in a new list, completed and reopened', async () => {
    await page.getByRole('button', { name: 'Criar nova lista' }).click();
    await page.getByLabel('Nome da lista').fill('Compras');
    await page.getByLabel('Laranja').check();
    await page.getByRole('button', { name: 'Criar lista' }).click();
    await page.getByText('Lista criada com sucesso!').waitFor();
    await page.getByRole('heading', { name: 'Compras' }).waitFor();
    for (const titulo of ['Elásticos', 'Toalhas', 'Corda']) await create(titulo);
    await eventually(titles, ['Elásticos', 'Toalhas', 'Corda']);

    await holdToasts(page);
    await check('Toalhas').click();
    await page.getByRole('heading', { name: 'Concluída (1)' }).waitFor();
    await task('Toalhas').waitFor({ state: 'detached' });
    await undo(page, 'Tarefa concluída');
    await letToastsGo(page);
    await page.getByText('Tarefa reaberta').waitFor();
    await task('Toalhas').waitFor();
    await eventually(titles, ['Elásticos', 'Toalhas', 'Corda']);
  });

  it('are reordered by dragging, which Escape cancels', async () => {
    const middle = async (titulo: string) => {
      const { x, y, width, height } = (await task(titulo).boundingBox())!;
      return [x + width / 2, y + height / 2] as const;
    };
    const drag = async () => {
      const [x, y] = await middle('Toalhas');
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x, y + 10);
      await page.mouse.move(...(await middle('Corda')), { steps: 8 });
      await page.mouse.move(x, (await middle('Corda'))[1] + 30, { steps: 3 });
    };
    // The item is dropped where it is displayed, which follows the pointer.
    await drag();
    await eventually(titles, ['Elásticos', 'Corda', 'Toalhas']);
    await page.keyboard.press('Escape');
    await eventually(titles, ['Elásticos', 'Toalhas', 'Corda']);
    await page.mouse.up();
    await drag();
    await eventually(titles, ['Elásticos', 'Corda', 'Toalhas']);
    await page.mouse.up();
    await eventually(stored, ['Elásticos', 'Corda', 'Toalhas']);
    await eventually(titles, ['Elásticos', 'Corda', 'Toalhas']);
    await eventually(() => page.getByRole('dialog').count(), 0);
  });

  it('are reordered by keys and by their menu, and keep that order after a reload', async () => {
    await task('Toalhas').focus();
    await page.keyboard.press('Alt+ArrowUp');
    await eventually(titles, ['Elásticos', 'Toalhas', 'Corda']);
    await page.getByText('Toalhas: posição 2 de 3').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Mais ações de Toalhas' }).click();
    await page.getByRole('menuitem', { name: 'Mover para o início' }).click();
    await eventually(titles, ['Toalhas', 'Elásticos', 'Corda']);
    await eventually(stored, ['Toalhas', 'Elásticos', 'Corda']);
    await page.reload();
    await eventually(titles, ['Toalhas', 'Elásticos', 'Corda']);
  });

  it('are moved back, edited and reopened, each with an undo, and so is their list', async () => {
    await holdToasts(page);
    await page.getByRole('button', { name: 'Mais ações de Corda' }).click();
    await page.getByRole('menuitem', { name: 'Mover para o início' }).click();
    await eventually(titles, ['Corda', 'Toalhas', 'Elásticos']);
    await undo(page, 'Ordem alterada');
    await eventually(titles, ['Toalhas', 'Elásticos', 'Corda']);
    await eventually(stored, ['Toalhas', 'Elásticos', 'Corda']);

    await task('Corda').click();
    const sheet = page.getByRole('dialog');
    await sheet.getByRole('button', { name: 'Editar' }).click();
    await sheet.getByLabel('Título').fill('Corda nova');
    await sheet.getByLabel('Data', { exact: true }).fill('31/12/2030');
    await sheet.getByLabel('Repetir').selectOption('mensalmente');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await sheet.getByText('Corda nova', { exact: true }).waitFor();
    await undo(page, 'Tarefa atualizada com sucesso!');
    await sheet.getByText('Alteração desfeita').waitFor();
    await sheet.getByText('Corda', { exact: true }).waitFor();
    const [corda] = (await trainer.api.get<TaskPage>('/tasks')).body.items.slice(-1);
    expect(corda).toMatchObject({ titulo: 'Corda', data_vencimento: null, repeticao: 'nao_se_repete' });

    await sheet.getByRole('button', { name: 'Concluir tarefa' }).click();
    await sheet.getByRole('button', { name: 'Reabrir tarefa' }).click();
    await undo(page, 'Tarefa reaberta');
    await sheet.getByRole('button', { name: 'Reabrir tarefa' }).click();
    await sheet.getByRole('button', { name: 'Concluir tarefa' }).waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    // What the sheet said may go on as a toast, which would lie over the next sheet's fields as long as it is held, or lies
    // under the pointer.
    await page.mouse.move(0, 0);
    await letToastsGo(page);
    await eventually(() => page.locator('[data-sonner-toast]').count(), 0);
    await holdToasts(page);

    await page.getByRole('button', { name: 'Mais ações da lista Compras' }).click();
    await page.getByRole('menuitem', { name: 'Editar lista' }).click();
    await sheet.getByLabel('Nome da lista').fill('Mercado');
    await sheet.getByLabel('Verde').check();
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { name: 'Mercado' }).waitFor();
    await undo(page, 'Lista atualizada com sucesso!');
    await page.getByRole('heading', { name: 'Compras' }).waitFor();
    const { items } = (await trainer.api.get<TaskLists>('/task-lists')).body;
    expect(items).toMatchObject([{ nome: 'Compras', cor: 'laranja' }]);
    await letToastsGo(page);
  });

  it('repeat, are shown in the calendar and on the dashboard, overdue ones too, and are found by the search', async () => {
    const overdue = { titulo: 'Ligar para a Eva', data_vencimento: '2020-03-27' };
    const { id } = (await trainer.api.post<{ id: string }>('/tasks', overdue)).body;
    await create('Alongar', async () => {
      const sheet = page.getByRole('dialog');
      await sheet
        .getByLabel('Data', { exact: true })
        .fill(new Date().toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' }));
      await sheet.getByLabel('Repetir').selectOption('diariamente');
    });
    await goLive(page, '/agenda?modo=dia');
    const inCalendar = page.getByRole('region', { name: 'Tarefas' });
    await inCalendar.getByRole('button', { name: /^2 tarefas/ }).click();
    await inCalendar.getByText('Ligar para a Eva').waitFor();
    await inCalendar.getByText('Alongar').click();
    await page.getByRole('dialog').getByText('Diariamente').waitFor();
    await page.keyboard.press('Escape');
    await goLive(page, '/');
    await page.getByRole('button', { name: '2 tarefas' }).click();
    const due = page.getByRole('dialog', { name: 'Tarefas para hoje' });
    await trainer.api.delete(`/tasks/${id}`);
    await due.getByText('Ligar para a Eva').waitFor({ state: 'detached' });
    await due.getByRole('checkbox', { name: 'Concluída: Alongar' }).click();
    await page.getByText('A próxima já está na lista.').waitFor();
    await due.getByText('Nenhuma tarefa para hoje').waitFor();
    await goLive(page, '/?buscar');
    await page.getByRole('combobox').fill('elasticos');
    await page.getByRole('option', { name: /Elásticos/ }).click();
    await page.getByRole('dialog', { name: 'Tarefa' }).getByText('Elásticos', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('are moved to another list or deleted when their list is deleted, and restored', async () => {
    await goLive(page, '/agenda?ver=tarefas');
    const list = page.getByRole('link', { name: /^Compras/ });
    const removeBy = async (choice: string) => {
      await list.click();
      await page.getByRole('button', { name: 'Mais ações da lista Compras' }).click();
      await page.getByRole('menuitem', { name: 'Excluir lista' }).click();
      await page.getByLabel(choice).check();
      await page.getByRole('dialog').getByRole('button', { name: 'Excluir lista' }).click();
      await page.getByText('Lista excluída').waitFor();
      await list.waitFor({ state: 'detached' });
    };
    await holdToasts(page);
    await removeBy('Excluir 5 tarefas com a lista');
    await eventually(stored, []);
    await undo(page, 'Lista excluída');
    await letToastsGo(page);
    await list.waitFor();
    await eventually(async () => (await stored()).length, 5);
    await removeBy('Mover para outra lista');
    // All tasks stand under the days that they are due.
    const due = page.getByRole('list', { name: /^Tarefas: / }).getByRole('listitem');
    const byDate = async () => (await due.allInnerTexts()).map((text) => text.split('\n')[0]);
    await eventually(byDate, ['Alongar', 'Toalhas', 'Elásticos', 'Corda']);
  });

  it('are deleted together when completed, and restored', async () => {
    // Not before the tap: a toast that is held would stay over the button at the end of the page.
    await page.getByRole('button', { name: 'Excluir concluídas' }).click();
    await holdToasts(page);
    await page.getByText('1 tarefa excluída').waitFor();
    await page.getByRole('heading', { name: /^Concluída/ }).waitFor({ state: 'detached' });
    await undo(page, '1 tarefa excluída');
    await page.getByRole('heading', { name: 'Concluída (1)' }).waitFor();
  });
});
