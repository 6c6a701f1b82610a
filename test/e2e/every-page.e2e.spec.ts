import { beforeAll, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { openScreen, type Screen } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { describeWithChromium } from '../support/needs.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { holdToasts } from '../support/toasts.js';
import { desk, everyPageOf, goWithin, looking, phone, shown } from './pages.js';
import { signIn } from './trainer-screen.js';

/** Addresses of a page's modes, and of what opens over a page. */
const modes = [
  ...['dia', 'semana', 'mes', 'ano'].map((mode) => `/agenda?modo=${mode}`),
  '/agenda?ver=tarefas',
];
const sheets = [
  '/agenda?novo=agendamento',
  '/financeiro?novo=lancamento',
  '/?buscar',
  '/financeiro?consultor=aberto',
  '/alunos/:id?dossie=',
  '/pagadores?novo=pagador',
  '/agenda?novo=tarefa',
  '/agenda?ver=tarefas&novo=tarefa',
  '/agenda?abrir=horarios',
  '/agenda?abrir=ferias',
  '/agenda?abrir=lembretes',
  '/agenda?abrir=links',
];
/** Buttons, and what they open over a page. */
const taps: readonly (readonly [address: string, button: string | RegExp, opens: string])[] = [
  ['/', 'Ações rápidas', '#acoes-rapidas'],
  ['/alunos', /^Mais ações de/, '[role=menu]'],
  ['/agenda?ver=tarefas', /^Mais ações de Ligar/, '[role=menu]'],
  ['/agenda?ver=tarefas', /^Ligar para a Zuleika/, '[role=dialog]'],
  ['/agenda?ver=tarefas', 'Criar nova lista', '[role=dialog]:has([type=radio])'],
  ['/agenda?novo=agendamento', 'Abrir calendário', '[role=dialog]:has(table)'],
  ['/financeiro', /Elásticos/, '[role=dialog]'],
  ['/cobrancas', 'Cobrar', '[role=dialog]'],
  ['/financeiro', 'Ver como estava em…', '[role=dialog]'],
  ['/agenda?novo=agendamento', 'Escolher o horário', ':has(> [role=group][aria-label=Hora])'],
  ['/dev/ui', 'Aviso com volta', '[data-sonner-toast]:has([data-button])'],
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
let screen: Screen;
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
    screen = await openScreen(app, phone);
    const { page } = screen;
    const { found, look, see } = looking(screen);
    const moment = new Date().toISOString();
    /** Pages as they were at a moment. */
    const past = ['/agenda', `/alunos/${day.studentId}`, '/cobrancas', '/financeiro'].map(
      (address) => `${address}?em=${moment}`,
    );
    await signIn(page, newcomer);
    await page.getByRole('button', { name: 'Começar Configuração' }).click();
    const answer = page.getByPlaceholder('Digite sua resposta...');
    await answer.waitFor();
    await look('/Configuração Inicial');
    // Leave the application before its session is removed, so that no page sends requests without it.
    await page.goto('/icon.svg');
    await page.evaluate('localStorage.clear()');
    await signIn(page, trainer);
    const over = [...sheets.map(withIds), `/agenda?sessao=${booked}&em=${moment}`, '/agenda?abrir=momento'];
    const others = [
      ...[...modes, ...past].map((each) => [each]),
      ...over.map((each) => [each, '[role=dialog]']),
    ];
    // One after the other, because going to another address of the same page takes two steps.
    const all = trainers.flatMap((each, n) => [[each], ...others.slice(n, n + 1)]);
    expect(all).toHaveLength(trainers.length + others.length);
    for (const [address, opened] of all) {
      await goWithin(page, address!);
      await look(address!, opened);
    }
    for (const [address, name, opens] of [
      [`/agenda?sessao=${booked}`, 'Cancelar', '[role=dialog]:has([type=radio])'] as const,
      ...taps,
    ]) {
      await goWithin(page, address);
      await shown(page);
      // On the phone, it unfolds the finances' other tools.
      const more = page.getByRole('button', { name: 'Mais', exact: true });
      if (await more.isVisible()) await more.click();
      // It is looked at for longer than it is shown.
      if (opens.startsWith('[data-sonner-toast]')) await holdToasts(page);
      await page.getByRole('button', { name }).first().click();
      await look(`${address} ${String(name)}`, opens);
    }
    await see(invite);
    expect(found).toEqual([]);
  }, 600_000);

  it('is printed without dark areas from the dark theme, and without what is tapped', async () => {
    const { withIds } = business;
    const { page } = screen;
    await page.setViewportSize(desk);
    await page.emulateMedia({ colorScheme: 'dark' });
    for (const address of [
      '/agenda?modo=dia',
      '/agenda?modo=semana',
      '/financeiro',
      '/cobrancas',
      withIds('/alunos/:id'),
      withIds('/ajustes/contratos-termos/:id'),
    ]) {
      await goWithin(page, address);
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
