import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { sharedApp } from '../support/shared.js';

describeWithChromium('the components of ui, on /dev/ui', () => {
  let app: TestApp;
  let page: Page;

  const openWindow = async () => (await openScreen(app, { width: 1440, height: 900 })).page;

  beforeAll(async () => {
    app = await sharedApp();
  });

  let isTimeless = false;

  /** Opens the gallery with a clock that only the test advances. All tests share one page, because opening takes long. */
  async function openTimeless(): Promise<void> {
    if (isTimeless) {
      await page.keyboard.press('Escape');
      await page.mouse.move(4, 4);
      await eventually(async () => {
        await page.clock.runFor(2000);
        return page.locator('[data-sonner-toast]').count();
      }, 0);
      return;
    }
    isTimeless = true;
    page = await openWindow();
    await page.clock.install();
    await page.goto('/dev/ui');
    await page.getByRole('heading', { name: 'Componentes' }).waitFor();
    await page.getByRole('region', { name: 'Notifications' }).waitFor({ state: 'attached' });
    // Pause at a future time, because the clock cannot be set back.
    await page.clock.pauseAt((await page.evaluate<number>('Date.now()')) + 600_000);
  }

  const toasts = () => page.locator('[data-sonner-toast][data-removed=false]').count();

  /** Presses a button that shows a toast, and advances the clock until `shown` toasts are visible. */
  async function toast(name: string, shown: number): Promise<void> {
    await page.getByRole('button', { name }).press('Enter');
    await eventually(async () => {
      await page.clock.runFor(10);
      return toasts();
    }, shown);
  }

  it('shows at most three toasts, and focuses them with Alt+T', async () => {
    await openTimeless();
    for (const shown of [1, 2, 3, 4]) await toast('Aviso de erro', shown);
    await eventually(() => page.locator('[data-sonner-toast][data-visible=true]').count(), 3);
    await page.keyboard.press('Alt+t');
    await eventually(() => page.evaluate('document.activeElement.matches("[data-sonner-toaster]")'), true);
  });

  it('dismisses a toast that is dragged sideways by 20 px', async () => {
    await openTimeless();
    await toast('Aviso de erro', 1);
    const pull = async (pixels: number) => {
      const { x, y } = (await page.locator('[data-sonner-toast]').boundingBox())!;
      // Drag the toast left of its text, because dragging over text would select it.
      await page.evaluate('getSelection().empty()');
      await page.mouse.move(x + 8, y + 30);
      await page.mouse.down();
      // Move slowly, because a fast swipe dismisses a toast over a shorter distance.
      for (const pulled of [2, pixels - 1, pixels]) {
        await page.mouse.move(x + 8 + pulled, y + 30);
        await page.clock.runFor(400);
      }
      await page.mouse.up();
      await page.clock.runFor(300);
    };
    await pull(15);
    expect(await toasts()).toBe(1);
    await pull(25);
    await eventually(toasts, 0);
  });

  it('names an icon after 700 ms, the next one at once within 300 ms, and at once on keyboard focus', async () => {
    await openTimeless();
    const names = async () => page.getByRole('tooltip').allInnerTexts();
    const rest = () => page.mouse.move(4, 4);
    const [first, second] = [
      page.getByRole('button', { name: 'calendar' }),
      page.getByRole('button', { name: 'wallet' }),
    ];
    await first.hover();
    await page.clock.runFor(650);
    expect(await names()).toEqual([]);
    await page.clock.runFor(100);
    await eventually(names, ['calendar']);
    await rest();
    await page.clock.runFor(250);
    await second.hover();
    await page.clock.runFor(50);
    await eventually(names, ['wallet']);
    await rest();
    await page.clock.runFor(350);
    await eventually(names, []);
    await first.hover();
    await page.clock.runFor(650);
    expect(await names()).toEqual([]);
    await rest();
    await second.focus();
    await page.keyboard.press('Shift+Tab');
    await page.clock.runFor(50);
    await eventually(names, ['calendar']);
  });

  it("shows messages also if the toasts' code cannot be fetched", async () => {
    page = await openWindow();
    await page.route(/\/toaster-.*\.(js|css)$/, (route) => route.abort());
    await page.goto('/dev/ui');
    await page.getByRole('button', { name: 'Aviso com volta' }).click();
    const said = page.getByRole('status').filter({ has: page.getByRole('button', { name: 'Fechar' }) });
    await said.getByRole('button', { name: 'Desfazer' }).click();
    await said.getByText('Renovação desfeita').waitFor();
    await page.getByRole('button', { name: 'Aviso de erro' }).click();
    await said.getByRole('button', { name: 'Fechar' }).click();
    await said.waitFor({ state: 'detached' });
  });

  it('closes a picker with Escape, also before its content is loaded, and then its sheet', async () => {
    page = await openWindow();
    await page.goto('/dev/ui');
    await page.getByRole('button', { name: 'Abrir folha' }).click();
    const sheet = page.getByRole('dialog', { name: 'Folha' });
    const picker = sheet.getByRole('button', { name: 'Abrir calendário' });
    const isOpen = (open: boolean) => sheet.locator(`[aria-expanded=${open}]`).waitFor();
    await picker.click();
    await isOpen(true);
    await picker.press('Escape');
    await isOpen(false);
    await picker.press('Escape');
    await sheet.waitFor({ state: 'detached' });
  });

  it('focuses the chosen item of a picker, and moves with the arrow keys', async () => {
    const focused = () =>
      page.evaluate<string>(
        'document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent',
      );
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await page.getByRole('button', { name: 'Abrir calendário' }).first().press('Enter');
    await eventually(focused, '26 novembro 2026');
    await press('ArrowRight', 'Enter');
    await eventually(focused, 'Abrir calendário');
    await eventually(() => page.getByLabel('Data', { exact: true }).first().inputValue(), '27/11/2026');

    await page.getByRole('button', { name: 'Escolher o horário' }).first().press('Enter');
    await eventually(focused, '07:00');
    await press('ArrowDown', 'Enter', 'Tab', 'ArrowRight', 'Enter');
    await eventually(focused, 'Escolher o horário');
    await eventually(() => page.getByLabel('Horário', { exact: true }).inputValue(), '11:15');
  });

  it('prints dark on white, without what only a screen can do, also from the dark theme', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    const tools = page.getByRole('button', { name: 'Aviso de erro' });
    await tools.waitFor();
    const colours = () =>
      page.evaluate<string>(
        '[document.documentElement, document.body].map((each) => getComputedStyle(each)).map(({ color, backgroundColor }, at) => at === 0 ? backgroundColor : color).join()',
      );
    const onScreen = await colours();
    const onPaper = 'rgb(255, 255, 255),rgb(22, 25, 40)';
    // The part that prints is loaded after the page is shown.
    await eventually(async () => {
      await page.emulateMedia({ media: 'screen' });
      await page.emulateMedia({ media: 'print' });
      return colours();
    }, onPaper);
    expect(await tools.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'screen' });
    await eventually(colours, onScreen);
  });

  it('stores the theme under the key theme: light, dark, or system, which is the default', async () => {
    const now = () => page.evaluate<string>('document.documentElement.dataset.mantineColorScheme');
    const stored = () => page.evaluate<string | null>("localStorage.getItem('theme')");
    const system = (colorScheme: 'light' | 'dark') => page.emulateMedia({ colorScheme });
    const becomes = (theme: string) => page.locator(`html[data-mantine-color-scheme=${theme}]`).waitFor();
    const choose = (name: string) => page.getByText(name, { exact: true }).click();
    const browserBarIs = (color: string) =>
      page.locator(`meta[name=theme-color][content="${color}"]`).waitFor({ state: 'attached' });

    expect([await stored(), await now()]).toEqual([null, 'dark']);
    await system('light');
    await becomes('light');
    await choose('Escuro');
    await becomes('dark');
    await eventually(stored, 'dark');

    // Another window has the theme too, even before our scripts are loaded.
    const other = await page.context().newPage();
    await other.route('**/*.js', (route) => route.abort());
    await other.goto('/dev/ui', { waitUntil: 'commit' });
    await other.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await other.close();

    await system('dark');
    await choose('Claro');
    await becomes('light');
    await browserBarIs('#f5f6fb');
    await eventually(stored, 'light');
    await choose('Sistema');
    await becomes('dark');
    await browserBarIs('#10121a');
    await eventually(stored, 'system');
    await page.reload();
    await page
      .getByRole('radio', { name: 'Sistema' })
      .and(page.locator(':checked'))
      .waitFor({ state: 'attached' });
    await eventually(now, 'dark');
  });
});
