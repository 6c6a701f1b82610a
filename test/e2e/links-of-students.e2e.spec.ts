import { beforeAll, expect, it } from '@jest/globals';
import { chargeReminders } from '../../backend/modules/charges/reminders.job.js';
import type { TestApp } from '../support/app.js';
import { axeFindings } from '../support/axe.js';
import { openScreen } from '../support/browser.js';
import { SetClock } from '../support/clock.js';
import { nextMail } from '../support/mail.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

const email = 'bia-lima@exemplo.com.br';

describeWithChromium('a student without an account', () => {
  const clock = new SetClock(new Date('2026-11-21T13:00:00Z'));
  let app: TestApp;
  let trainer: Trainer;
  let bia: string;

  beforeAll(async () => {
    app = await sharedApp(clock);
    trainer = await signUp(app, { nome: 'Carla Dias' });
    bia = (await trainer.api.post('/students', { nome: 'Bia Lima', whatsapp: '(11) 94321-4321', email })).body
      .id;
  });

  it('switches off a kind of mails by the link in one, and on again', async () => {
    const due = { descricao: 'Aula', valor: 5_000, vencimento: '2026-11-21' };
    await trainer.api.post('/charges', { student_id: bia, ...due });
    await app.run(chargeReminders.Handler);
    const { text } = await nextMail(email);
    const { page, complaints } = await openScreen(app);
    await page.goto(/\/avisos\/[\w-]{60,}$/m.exec(text)![0]);
    await page.getByText('Você recebe lembretes de pagamento').waitFor();
    await page.getByRole('button', { name: 'Não receber mais: lembretes' }).click();
    await page.getByText('Você não recebe mais lembretes de pagamento').waitFor();
    expect(await axeFindings(page)).toEqual([]);
    await page.reload();
    await page.getByRole('button', { name: 'Voltar a receber' }).click();
    await page.getByText('Você recebe lembretes de pagamento').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
