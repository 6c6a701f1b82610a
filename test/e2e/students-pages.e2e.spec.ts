import { expect, it } from '@jest/globals';
import { openScreen } from '../support/browser.js';
import { describeWithChromium } from '../support/needs.js';
import { sharedApp } from '../support/shared.js';
import { everyPageOf, looking, phone } from './pages.js';
import { signIn } from './trainer-screen.js';

describeWithChromium('every page of strangers and students', () => {
  it('has no findings of axe, scrolls only vertically and has targets for a thumb, in both sizes and themes', async () => {
    const app = await sharedApp();
    const { student, students, invite, area } = await everyPageOf(app);
    const screen = await openScreen(app, phone);
    const { page } = screen;
    const { found, look, see } = looking(screen);
    for (const address of ['/auth', '/auth?aba=cadastro', '/termos', '/dev/ui']) await see(address);
    // The link of a mail, opened in another browser than the one that requested it.
    await page.goto('/auth#token=nonsense&type=signup');
    await page.getByRole('heading', { name: 'Confirme seu e-mail' }).waitFor();
    await look('/auth#token');
    await see(invite);
    await see(area);
    await see(`${area}/pagamentos`);
    await signIn(page, student);
    for (const address of students) await see(address);
    expect(found).toEqual([]);
  }, 600_000);
});
