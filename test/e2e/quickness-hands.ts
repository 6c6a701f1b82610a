import type { Locator, Page } from 'playwright-core';

/** By how much the processor of a machine of this speed is slowed down, to simulate a phone's. */
const SLOWED = 4;
const FAST = 200;

/** Lists that this machine lays out per second: the best of four rounds, because the first compile the script. */
const measureSpeed = `(() => {
  const rounds = Array.from({ length: 4 }, () => {
    const from = performance.now();
    let done = 0;
    for (; performance.now() - from < 250; done += 1) {
      const list = document.createElement('ul');
      for (let item = 0; item < 200; item += 1)
        list.append(Object.assign(document.createElement('li'), { textContent: item }));
      document.body.append(list);
      list.getBoundingClientRect();
      list.remove();
    }
    return (done * 1000) / (performance.now() - from);
  });
  return Math.max(...rounds);
})()`;

/** The highest of all measured: other load on the machine can make a measurement too low, but never too high. */
let speed = 0;

/** The factor that makes this machine as slow as a phone. */
export async function slowdownOn(page: Page): Promise<number> {
  const blank = await page.context().newPage();
  speed = Math.max(speed, await blank.evaluate<number>(measureSpeed));
  await blank.close();
  console.log(`${Math.round(speed)} lists per second`);
  return Math.max(1, SLOWED * Math.min(1, speed / FAST));
}

/** Script that records the time from each tap or key to the next paint, in milliseconds, rounded to eight. */
const noting = `
  window.noted = [];
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries()) if (interactionId > 0) window.noted.push(duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  window.seen = () =>
    new Promise((rest) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(rest, 50))));
  window.atRest = () => new Promise((rest) => requestIdleCallback(() => rest(), { timeout: 1000 }));
`;

/** The longest time of each tap or key, by its name, in milliseconds. */
type Waits = Map<string, number>;

/** Taps and types with the processor slowed down to a phone's. Finding elements, waiting and scrolling run at full speed. */
export class Hand {
  #waits: Waits = new Map();
  #slowdown = SLOWED;

  private constructor(
    readonly page: Page,
    private readonly slow: (rate: number) => Promise<unknown>,
  ) {}

  static async at(page: Page): Promise<Hand> {
    await page.addInitScript(noting);
    const devtools = await page.context().newCDPSession(page);
    return new Hand(page, (rate) => devtools.send('Emulation.setCPUThrottlingRate', { rate }));
  }

  /** Runs a walk through pages, and returns its longest times. */
  async go(way: (hand: Hand) => Promise<void>): Promise<Waits> {
    this.#waits = new Map();
    this.#slowdown = await slowdownOn(this.page);
    await way(this);
    return this.#waits;
  }

  async tap(name: string, target: Locator): Promise<void> {
    await this.#rest();
    // Waits until the target is stable, since content that is still loading may move or cover it.
    await target.click({ trial: true });
    const { x, y, width, height } = (await target.boundingBox())!;
    await this.#noted(name, () => this.page.mouse.click(x + width / 2, y + height / 2));
  }

  async type(name: string, target: Locator, text: string): Promise<void> {
    await target.focus();
    for (const letter of text) await this.press(name, letter);
  }

  async press(name: string, key: string): Promise<void> {
    await this.#rest();
    await this.#noted(name, () => this.page.keyboard.press(key));
  }

  async #rest(): Promise<void> {
    await this.page.evaluate('window.atRest()');
  }

  async #noted(name: string, act: () => Promise<void>): Promise<void> {
    await this.page.evaluate('void (window.noted.length = 0)');
    await this.slow(this.#slowdown);
    await act();
    await this.page.evaluate('window.seen()');
    await this.slow(1);
    const longest = await this.page.evaluate<number>('Math.max(0, ...window.noted)');
    this.#waits.set(name, Math.max(longest, this.#waits.get(name) ?? 0));
  }
}

/** Walks through the list of students. */
export async function throughTheList(hand: Hand): Promise<void> {
  const { page } = hand;
  await page.goto('/alunos');
  await page.getByText('Aluno Turma 19').waitFor();
  await hand.type('typing a name over the list', page.getByLabel('Buscar aluno'), 'a 0');
  await page.getByText('9 resultados').last().waitFor();
  await hand.tap('clearing the search', page.getByRole('button', { name: 'Limpar busca' }));
  await page.getByText('40 alunos cadastrados').waitFor();
  await hand.tap('the list of inactive students', page.getByText('Inativos', { exact: true }));
  await page.getByText('Nenhum aluno inativo').waitFor();
  await hand.tap('the list of active students', page.getByText('Ativos', { exact: true }));
  await hand.tap("a student's menu", page.getByRole('button', { name: /^Mais ações de/ }).first());
  await page.getByRole('menuitem').first().waitFor();
  await hand.press('leaving the menu', 'Escape');
}

/** Walks through the list that `fillTheList` fills, to its end, and selects all students in it. */
export async function throughALongList(hand: Hand): Promise<void> {
  const { page } = hand;
  const student = (number: string) => page.getByRole('link', { name: `Aluno Turma ${number}` });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  await page.goto('/alunos');
  await student('0001').waitFor();
  // The rows around the window alone are rendered, and more of them are read at its end.
  while (!(await student('2000').isVisible())) {
    await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)');
    await page.evaluate('window.seen()');
  }
  await hand.tap("a student's menu", button(/^Mais ações de Aluno Turma 1999/));
  await page.getByRole('menuitem').first().waitFor();
  await hand.press('leaving the menu', 'Escape');
  await student('1999').focus();
  for (const key of ['Tab', 'Tab', 'Shift+Tab']) await hand.press('a key in the list', key);
  await page.evaluate('window.scrollTo(0, 0)');
  await hand.type('typing a name over the list', page.getByLabel('Buscar aluno'), 'a 000');
  await page.getByText('9 resultados').last().waitFor();
  await hand.tap('clearing the search', button('Limpar busca'));
  await page.getByText('2.000 alunos cadastrados').waitFor();
  await hand.tap('the list of inactive students', page.getByText('Inativos', { exact: true }));
  await page.getByText('Nenhum aluno inativo').waitFor();
  await hand.tap('the list of active students', page.getByText('Ativos', { exact: true }));
  await hand.tap("the list's menu", button('Mais opções'));
  await hand.tap('choosing several', page.getByRole('menuitem', { name: 'Selecionar vários' }));
  await hand.tap('choosing all', page.getByLabel('Marcar todos (2.000)'));
  await page.getByText('2.000 marcados').waitFor();
  await hand.tap('leaving one out', page.getByLabel('Aluno Turma 0003'));
  await page.getByText('1.999 marcados').waitFor();
  await hand.tap('a message for all', button('Mensagem'));
  await page.getByRole('dialog').waitFor();
  await hand.type('typing a message', page.getByRole('textbox', { name: 'Mensagem' }), 'ok');
  await hand.press('leaving the message', 'Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await hand.tap('leaving the choice', button('Cancelar seleção'));
}

/** Walks through days, weeks, months and years of the calendar. */
export async function throughTheCalendar(hand: Hand, from = '/agenda'): Promise<void> {
  const { page } = hand;
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  await page.goto(from);
  await button(/Agendada/).waitFor();
  await hand.tap('the menu of the agenda', button('Mais da agenda'));
  await hand.tap('the next day', page.getByRole('menuitem', { name: 'Próximo dia' }));
  await button(/Agendada/).waitFor();
  await hand.tap('the week', page.getByText('Semana', { exact: true }));
  await button('Três dias depois').waitFor();
  await hand.tap('the next three days', button('Três dias depois'));
  await hand.tap('the three days before', button('Três dias antes'));
  await hand.tap('the month', button(/ver o mês$/));
  await page.locator('[data-day] [data-status]').first().waitFor();
  await hand.tap('the next month', button('Próximo mês'));
  await hand.tap('the month before', button('Mês anterior'));
  await page.locator('[data-day] [data-status]').first().waitFor();
  await hand.tap('a day of the month', page.locator('[data-day]:has([data-status])').nth(1));
  await page.locator('[data-day][tabindex="0"]').focus();
  for (const key of ['ArrowRight', 'ArrowDown']) await hand.press('a key in the month', key);
  await hand.tap('the year', button(/ver o ano$/));
  await page.locator('[data-day][data-status]').first().waitFor();
  await hand.tap('the next year', button('Próximo ano'));
  await hand.tap('the year before', button('Ano anterior'));
  await page.locator('[data-day][data-status]').first().waitFor();
  await page.locator('[data-day][tabindex="0"]').focus();
  for (const key of ['ArrowRight', 'ArrowDown']) await hand.press('a key in the year', key);
  await hand.tap('a day of the year', page.locator('[data-day][data-status]').nth(1));
}

/** Walks through the calendar that `crowd` fills. */
export const throughACrowd = (hand: Hand): Promise<void> =>
  throughTheCalendar(hand, '/agenda?modo=dia&dia=2030-03-12');

/** Opens and closes dialogs: a session, a booking with its calendar, the search. */
export async function throughTheDialogs(hand: Hand): Promise<void> {
  const { page } = hand;
  const dialog = page.getByRole('dialog');
  const leave = async (name: string) => {
    await hand.press(name, 'Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await page.goto('/agenda');
  await hand.tap('a session', page.getByRole('button', { name: /Agendada/ }).first());
  await dialog.getByText('Aluno Turma').first().waitFor();
  await leave('leaving a session');
  await hand.tap('the quick actions', page.getByRole('button', { name: 'Ações rápidas' }));
  await hand.tap('a new session', page.getByRole('link', { name: 'Evento', exact: true }));
  await hand.tap('the calendar of a field', page.getByRole('button', { name: 'Abrir calendário' }).first());
  await page.getByRole('grid').or(page.getByRole('table')).first().waitFor();
  await hand.press('leaving the calendar of a field', 'Escape');
  await hand.type('typing a note', page.getByLabel('Observações'), 'ok');
  await leave('leaving a form');
  await hand.tap('the menu of the agenda', page.getByRole('button', { name: 'Mais da agenda' }));
  await hand.tap('the search', page.getByRole('menuitem', { name: 'Buscar' }));
  await hand.type('typing into the search', page.getByRole('combobox'), 'turma');
  await page.getByRole('option').first().waitFor();
  await leave('leaving the search');
}

/** As a student: a session, what cancelling it costs, times to move it to, a charge, free times, and the statement. */
export async function throughTheOwnArea(hand: Hand): Promise<void> {
  const { page } = hand;
  const dialog = page.getByRole('dialog');
  const button = (name: string) => dialog.getByRole('button', { name });
  const rows = (section: string) => page.getByRole('region', { name: section }).locator('a[href*="?"]');
  const leave = async (name: string) => {
    await hand.press(name, 'Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await page.goto('/aluno');
  await hand.tap('a session', rows('Próximas Aulas').first());
  await hand.tap('cancelling', button('Desmarcar'));
  await dialog.getByText('não cobra nada').waitFor();
  await hand.tap('back to the session', button('Voltar'));
  await hand.tap('moving', button('Remarcar'));
  await hand.tap('another time', dialog.locator('[aria-pressed]').first());
  await leave('leaving a session');
  await hand.tap('a charge', rows('A pagar').first());
  await button('Já paguei').waitFor();
  await leave('leaving a charge');
  await hand.tap('free times', page.getByRole('link', { name: 'Agendar', exact: true }));
  await hand.tap('a free time', page.locator('main [aria-pressed]').first());
  await button('Agendar').waitFor();
  await leave('leaving a free time');
  await hand.tap('the home', page.getByRole('link', { name: 'Início', exact: true }));
  await hand.tap('the statement', page.getByRole('link', { name: 'Ver extrato' }));
  await page.getByRole('heading', { name: 'Extrato de créditos' }).waitFor();
}
