import { beforeAll, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { openScreen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { desk, everyPageOf, goWithin, looking, phone, shown } from './pages.js';
import { signIn } from './trainer-screen.js';

/** Addresses that open a sheet or a mode of a page; two successive ones never belong to the same page. */
const sheets = [
  ...['/agenda?novo=agendamento', '/financeiro?novo=lancamento', '/agenda?modo=dia', '/?buscar'],
  ...['/financeiro?consultor=aberto', '/alunos/:id?dossie='],
  ...['/agenda?modo=semana', '/locais?', '/agenda?modo=mes', '/planos?', '/agenda?modo=ano'],
  ...['/agenda?ver=tarefas', '/agenda?novo=tarefa', '/agenda?ver=tarefas&novo=tarefa'],
  ...['/agenda?abrir=horarios', '/alunos?', '/agenda?abrir=ferias'],
  ...['/planos?', '/agenda?abrir=lembretes', '/locais?', '/agenda?abrir=links'],
];
/** Buttons, and what they open over a page. */
const taps: readonly (readonly [address: string, button: string | RegExp, opens: string])[] = [
  ['/', 'Ações rápidas', '#acoes-rapidas'],
  ['/alunos', /^Mais ações de/, '[role=menuitem]'],
  ['/agenda?ver=tarefas', /^Mais ações de Ligar/, '[role=menuitem]'],
  ['/agenda?ver=tarefas', /^Ligar para a Zuleika/, '[role=dialog]'],
  ['/agenda?ver=tarefas', 'Criar nova lista', '[role=dialog] [type=radio]'],
  ['/agenda?novo=agendamento', 'Abrir calendário', 'table'],
  ['/financeiro', /Elásticos/, '[role=dialog]'],
  ['/cobrancas', 'Cobrar', '[role=dialog]'],
  ['/financeiro', 'Ver como estava em…', '[role=dialog]'],
  ['/agenda?novo=agendamento', 'Escolher o horário', '[role=group][aria-label=Hora]'],
  ['/dev/ui', 'Aviso com volta', '[data-sonner-toast] [data-button]'],
];

/** What a printed page should not have: large dark areas, and what is only for the screen. */
const onPaper = `(() => {
  const light = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
    return alpha < 0.5 ? 1 : (0.3 * red + 0.6 * green + 0.1 * blue) / 255;
  };
  return [...document.querySelectorAll('html, body, body *')].flatMap((each) => {
    const { width, height } = each.getBoundingClientRect();
    if (width < 40 || height < 40) return [];
    const name = each.tagName + ' ' + each.className;
    if (light(getComputedStyle(each).backgroundColor) < 0.25) return ['is dark: ' + name];
    return each.matches('nav, [role=tablist], [data-on-screen], [data-sonner-toaster]') ? ['is printed: ' + name] : [];
  });
})()`;

let app: TestApp;
let business: Awaited<ReturnType<typeof everyPageOf>>;

describeWithChromium('every page of a trainer', () => {
  beforeAll(async () => {
    app = await sharedApp();
    business = await everyPageOf(app);
  });

  it('has no findings of axe, scrolls only vertically and has targets for a thumb, in both sizes and themes', async () => {
    const { trainer, trainers, day, booked, invite, withIds } = business;
    // A trainer who has not done the onboarding.
    const newcomer = await signUp(app);
    const screen = await openScreen(app, phone);
    const { page } = screen;
    const { found, look, see } = looking(screen);
    /** Pages as they were at a moment. */
    const asTheyAre = (moment: string): string[] => [
      ...[`/agenda?em=${moment}`, `/alunos/${day.studentId}?em=${moment}`],
      ...[`/agenda?modo=mes&sessao=${booked}&em=${moment}`, `/cobrancas?em=${moment}`],
      ...[`/financeiro?em=${moment}`, '/agenda?abrir=momento'],
    ];
    await signIn(page, newcomer);
    await page.getByRole('button', { name: 'Começar Configuração' }).click();
    const answer = page.getByPlaceholder('Digite sua resposta...');
    await look('Configuração Inicial', () => answer.waitFor());
    // Leave the application before its session is removed, so that no page sends requests without it.
    await page.goto('/icon.svg');
    await page.evaluate('localStorage.clear()');
    await signIn(page, trainer);
    for (const address of [...trainers, ...sheets.map(withIds), ...asTheyAre(new Date().toISOString())]) {
      await goWithin(page, address);
      await look(address);
    }
    for (const [address, name, opens] of [
      [`/agenda?sessao=${booked}`, 'Cancelar', '[role=dialog] [type=radio]'] as const,
      ...taps,
    ]) {
      await goWithin(page, address);
      await shown(page);
      // On the phone, it unfolds the finances' other tools.
      const more = page.getByRole('button', { name: 'Mais', exact: true });
      if (await more.isVisible()) await more.click();
      await page.getByRole('button', { name }).first().click();
      await look(`${address} ${String(name)}`, () => page.locator(opens).first().waitFor());
    }
    await see(invite);
    expect(found).toEqual([]);
  }, 600_000);

  it('is printed without dark areas from the dark theme, and without what is tapped', async () => {
    const { trainer, withIds } = business;
    const { page } = await openScreen(app, desk);
    await page.emulateMedia({ colorScheme: 'dark' });
    await signIn(page, trainer);
    for (const address of [
      ...['/agenda?modo=dia', '/agenda?modo=semana', '/financeiro', '/cobrancas'],
      ...[withIds('/alunos/:id'), withIds('/ajustes/contratos-termos/:id')],
    ]) {
      await page.goto(address);
      await shown(page);
      // The part that prints is loaded after the page is shown.
      await eventually(async () => {
        await page.emulateMedia({ media: 'screen' });
        await page.emulateMedia({ media: 'print' });
        return page.evaluate<string[]>(onPaper);
      }, []);
      await page.emulateMedia({ media: 'screen' });
    }
  });
});
