import { addHours, startOfHour } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { agendaOf } from '../agenda/trainer.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { more } from '../support/sheets.js';
import { sharedApp } from '../support/shared.js';
import { openSignedIn } from './trainer-screen.js';

describeWithChromium('edits without a network', () => {
  let trainer: Trainer;
  let agenda: ReturnType<typeof agendaOf>;
  let page: Page;
  let ana: string;
  let plan: string;
  let session: string;

  beforeAll(async () => {
    const app = await sharedApp();
    trainer = await signUp(app);
    agenda = agendaOf(trainer.api);
    plan = await agenda.plan();
    ana = await agenda.student('Ana Souza');
    // The current hour, so that the session is of today at any time of the day.
    const inicio = startOfHour(new Date());
    session = await agenda.book({
      student_id: ana,
      inicio: inicio.toISOString(),
      fim: addHours(inicio, 1).toISOString(),
    });
    await agenda.location();
    ({ page } = await openSignedIn(app, trainer, { installs: true }));
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  });

  const offline = (isCut: boolean) => page.context().setOffline(isCut);

  /** Waits for the message that the edit is in the outbox, and for the mark beside the changed entry. */
  const isQueued = async () => {
    await page.getByText('Guardado neste aparelho. Será enviado quando a internet voltar.').waitFor();
    await page.getByText('ainda não enviado', { exact: true }).first().waitFor();
  };

  const isSent = async (sentence: string) => {
    await offline(false);
    await page.getByText(sentence).waitFor();
    await eventually(() => page.getByText('ainda não enviado', { exact: true }).count(), 0);
  };

  it("of a plan wait, are shown in place of the server's values, and are sent", async () => {
    await page.goto('/planos');
    await page.getByRole('button', { name: 'Editar' }).click();
    const sheet = page.getByRole('dialog', { name: 'Editar plano' });
    await sheet.getByLabel('Valor *').waitFor();
    await offline(true);
    await sheet.getByLabel('Valor *').fill('450,00');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await isQueued();
    await page.getByText('450,00').first().waitFor();
    expect((await trainer.api.get<{ valor: number }>(`/plans/${plan}`)).body.valor).not.toBe(45_000);
    await isSent('foi atualizado.');
    await eventually(
      async () => (await trainer.api.get<{ valor: number }>(`/plans/${plan}`)).body.valor,
      45_000,
    );
  });

  it('of a location and of its policy wait', async () => {
    await page.goto('/locais');
    await page.getByRole('button', { name: 'Editar' }).click();
    const sheet = page.getByRole('dialog', { name: 'Editar local' });
    await sheet.getByLabel('Nome *').waitFor();
    await offline(true);
    await sheet.getByLabel('Nome *').fill('Parque do Lago');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await isQueued();
    await isSent('O local Parque foi atualizado.');
    await page.getByText('Parque do Lago').waitFor();

    await page.goto('/ajustes/politicas');
    await page.getByRole('button', { name: 'Editar política' }).click();
    const policy = page.getByRole('dialog', { name: 'Política · Parque do Lago' });
    await policy.getByLabel('Taxa (% da sessão)').waitFor();
    await offline(true);
    await policy.getByLabel('Taxa (% da sessão)').fill('50');
    await policy.getByRole('button', { name: 'Salvar política' }).click();
    await isQueued();
    await page.getByText('cobra 50% do valor da sessão').waitFor();
    await isSent('A política de Parque do Lago foi atualizada.');
  });

  it('of a session wait', async () => {
    await page.goto('/agenda');
    await page
      .getByRole('button', { name: /Agendada.*Ana Souza/ })
      .first()
      .click();
    const sheet = page.getByRole('dialog');
    await more(sheet, 'Editar');
    await sheet.getByLabel('Observações').waitFor();
    await offline(true);
    await sheet.getByLabel('Observações').fill('Trazer elástico');
    await sheet.getByRole('button', { name: 'Salvar' }).click();
    await page.getByText('Guardado neste aparelho. Será enviado quando a internet voltar.').waitFor();
    await sheet.getByText('Trazer elástico').waitFor();
    await offline(false);
    await page.getByText(/^A sessão de Ana Souza.* foi atualizada\.$/).waitFor();
    await eventually(async () => (await agenda.get(session)).observacoes, 'Trazer elástico');
  });

  it('of a student return to the form with the typed values if the server refuses them', async () => {
    await page.goto(`/alunos/edit/${ana}`);
    await page.getByLabel('Plano', { exact: true }).waitFor();
    await eventually(() => page.getByLabel('Plano', { exact: true }).getByRole('option').count(), 2);
    await offline(true);
    await page.getByLabel('Nome completo *').fill('Ana Beatriz');
    await page.getByLabel('Plano', { exact: true }).selectOption(plan);
    await page.getByRole('button', { name: 'Salvar' }).click();
    await isQueued();
    await page.getByRole('heading', { name: 'Ana Beatriz' }).waitFor();
    await trainer.api.patch(`/plans/${plan}`, { is_active: false });
    await offline(false);
    const refusal = page.getByText('O aluno Ana Souza não foi atualizado: Plano inativo.');
    await refusal.waitFor();
    await page.getByRole('heading', { name: 'Ana Souza' }).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Editar' }).click();
    await refusal.waitFor({ state: 'detached' });
    await page.getByText('Recuperamos o que você tinha digitado.').waitFor();
    await eventually(() => page.getByLabel('Nome completo *').inputValue(), 'Ana Beatriz');
    await eventually(() => page.getByLabel('Plano', { exact: true }).inputValue(), plan);
  });
});
