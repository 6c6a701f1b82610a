import { beforeAll, expect, it } from '@jest/globals';
import type { PublicLink } from '../../backend/modules/public-link/public-link.api.js';
import { agendaOf } from '../agenda/trainer.js';
import { openSignedIn } from '../e2e/trainer-screen.js';
import { startApp, type TestApp } from '../support/app.js';
import { openScreen, type Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';

describeWithChromium('the public page', () => {
  let app: TestApp;
  let trainer: Trainer;
  let desk: Screen;
  let slug: string;

  beforeAll(async () => {
    app = await startApp();
    trainer = await signUp(app, { nome: 'Bruna Dias' });
    await agendaOf(trainer.api).location('Parque do Povo');
    ({ slug } = (await trainer.api.get<PublicLink>('/public-link')).body);
    desk = await openSignedIn(app, trainer, { width: 1440, height: 900 });
    await desk.page.goto('/link-publico');
    await desk.page.getByText('O que for agendado pelo seu link aparece aqui').waitFor();
  });

  it('reads places and next times without a script, and is told where a link leads to nobody', async () => {
    const text = await (await fetch(`${app.url}/p/${slug}`)).text();
    expect(text).toContain('Parque do Povo');
    expect(text).toMatch(/<time datetime="[^"]+Z"\s*>/);
    const { page } = await openScreen(app);
    await page.goto('/p/ninguem');
    await page.getByRole('heading', { name: 'Personal não encontrado' }).waitFor();
    await desk.page.goto('/link-publico');
    await desk.page.getByRole('switch', { name: 'Link ativo' }).click();
    await desk.page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await desk.page.getByText('Configurações salvas').waitFor();
    await eventually(async () => (await fetch(`${app.url}/p/${slug}`)).status, 404);
  });
});
