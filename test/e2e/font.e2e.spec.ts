import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { TestApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { sharedApp } from '../support/shared.js';

/** The fonts that the browser uses for the element of a selector. */
async function fontsOf(page: Page, selector: string) {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName, isCustomFont }) => [familyName, isCustomFont]);
}

/** Widths of lines of text in the page with this style, in pixels. */
const widths = (page: Page, lines: readonly string[], style: string) =>
  page.evaluate<number[]>(`(() => {
    const line = document.createElement('span');
    line.style.cssText = 'position: absolute; white-space: nowrap; ${style}';
    document.body.append(line);
    const found = ${JSON.stringify(lines)}.map((text) => {
      line.textContent = text;
      return line.getBoundingClientRect().width;
    });
    line.remove();
    return found;
  })()`);

const sentence =
  'Próximas sessões de hoje, amanhã e quinta-feira: Ana Beatriz no Studio, Bruno no Parque. Créditos acabando, lançamentos do mês, previsto e recebido.';

describeWithChromium('the font of the application', () => {
  let app: TestApp;
  let page: Page;
  const asked: string[] = [];

  beforeAll(async () => {
    app = await sharedApp();
    const screen = await openScreen(app);
    page = screen.page;
    page.on('request', (request) => {
      if (request.resourceType() === 'font') asked.push(request.url());
    });
    await page.goto('/auth');
    await page.getByRole('button', { name: 'Entrar' }).waitFor();
    await page.evaluate('document.fonts.ready.then(() => undefined)');
    expect(screen.complaints).toEqual([]);
  });

  it('renders every text, with all letters of Portuguese, and is fetched once', async () => {
    await eventually(() => fontsOf(page, 'h1'), [['Geist', true]]);
    await eventually(() => fontsOf(page, 'button[type=submit] .mantine-Button-label'), [['Geist', true]]);
    await page.evaluate(
      `document.querySelector('h1').textContent = 'áàâãéêíóôõúüç ÁÀÂÃÉÊÍÓÔÕÚÜÇ 0123456789 ºª × – — … · “” R$ €'`,
    );
    await eventually(() => fontsOf(page, 'h1'), [['Geist', true]]);
    expect(asked).toHaveLength(1);
  });

  it('has digits of equal width, in every weight', async () => {
    for (const weight of [400, 600, 700]) {
      const [ones, zeros] = await widths(page, ['1111', '0000'], `font-weight: ${weight}`);
      expect(ones).toBe(zeros);
    }
    // Without the setting the widths differ, which shows that the font's feature is in use.
    const [ones, zeros] = await widths(page, ['1111', '0000'], 'font-variant-numeric: normal');
    expect(ones).not.toBe(zeros);
  });

  it('takes the same room as the fallback font before it', async () => {
    const fallback = `font-family: "Geist Arial", "Geist Roboto", "Geist DejaVu"`;
    for (const weight of [400, 600, 700]) {
      const [own] = await widths(page, [sentence], `font-weight: ${weight}`);
      const [other] = await widths(page, [sentence], `font-weight: ${weight}; ${fallback}`);
      expect(Math.abs(other! / own! - 1)).toBeLessThan(0.02);
    }
  });
});
