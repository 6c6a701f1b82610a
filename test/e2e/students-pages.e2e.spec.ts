import { expect, it } from '@jest/globals';
import { openScreen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { sharedApp } from '../support/shared.js';
import { everyPageOf, goWithin, looking, phone } from './pages.js';
import { signIn } from './trainer-screen.js';

describeWithChromium('every page of strangers and students', () => {
  it('has no findings of axe, scrolls only vertically and has targets for a thumb, in both sizes and themes', async () => {
    const app = await sharedApp();
    const { student, students, invite, area } = await everyPageOf(app);
    const screen = await openScreen(app, phone);
    const { page } = screen;
    const { found, look, see } = looking(screen);
    // It is shown for two seconds only, so the wait for it begins before.
    await Promise.all([
      page.getByRole('heading', { name: 'Convite inválido ou expirado' }).waitFor(),
      page.goto(`/convite/${'a'.repeat(43)}`),
    ]);
    await page.waitForURL('**/auth');
    expect(screen.complaints.splice(0)).toEqual([expect.stringContaining('404')]);
    await look('/auth');
    for (const address of ['/auth?aba=cadastro', '/termos', '/dev/ui']) await see(address);
    await page.goto('/nao-existe');
    await page.getByRole('heading', { name: '404 · Página não encontrada' }).waitFor();
    // The link of a mail, opened in another browser than the one that requested it.
    await page.goto('/auth#token=nonsense&type=signup');
    await page.getByRole('heading', { name: 'Confirme seu e-mail' }).waitFor();
    await look('/auth#token');
    await see(invite);
    await see(area);
    await see(`${area}/pagamentos`);
    await signIn(page, student);
    for (const address of students) {
      await goWithin(page, address);
      await look(address);
    }
    expect(found).toEqual([]);
  }, 600_000);
});
