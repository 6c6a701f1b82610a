import { beforeAll, describe, expect, it } from '@jest/globals';
import { QueryBus } from '@nestjs/cqrs';
import { addDays, getDaysInMonth, parseISO } from 'date-fns';
import { ListNames } from '../../backend/modules/advisor/advisor.queries.js';
import { Advisor } from '../../backend/modules/advisor/advisor.service.js';
import { agendaLink, namedDay } from '../../backend/modules/advisor/agenda-answers.js';
import { dayBefore, daysOf, weekOf } from '../../backend/modules/advisor/days.js';
import { monthsOf, type Period } from '../../backend/modules/advisor/period.js';
import { monthName } from '../../backend/modules/advisor/saying.js';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { OwedSessionsPage } from '../../backend/modules/owed-sessions/owed-sessions.api.js';
import type { Receivables } from '../../backend/modules/charges/receivables.api.js';
import type { FigureLines, MonthSummary } from '../../backend/modules/finance/finance.api.js';
import { monthBefore } from '../../backend/modules/finance/month.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import { nobodyOf } from '../../backend/platform/event-store/context.js';
import { plural } from '../../backend/platform/plural.api.js';
import { brl, shortDate } from '../../backend/platform/portuguese.js';
import { askedIn, monthsIn, overMonths } from '../../frontend/src/features/finance/figure-part.js';
import { startApp, type TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { startDemonstration } from '../support/demonstration.js';
import { signIn } from '../accounts/people.js';
import { anyAddress } from '../support/addresses.js';
import { recountOwed } from '../owed-sessions/recount.js';
import { recount, type Recount } from './recount.js';

/** Every how many-th student and entry of `npm run demo` is created, including some that have left. */
const EVERY = 9;
const NOW = new Date();
/** By then all sessions are over, and credits have expired. */
const LATER = addDays(NOW, 40);

type Figures = [text: string, fonte: string][];

const database = await testDatabase();
const { app, trainer } = await startDemonstration(NOW, EVERY);
const login = trainer;
await app.close();
const [tenantId] = (await database.query<{ tenant_id: string }>('select distinct tenant_id from events')).map(
  ({ tenant_id }) => tenant_id,
) as [string];

describe.each([
  ['on its day', NOW],
  ['forty days later', LATER],
])('every figure of every answer over the demonstration data, %s,', (_when, now) => {
  let app: TestApp;
  let api: Client;

  let log: Recount;
  let names: Map<string, string>;
  /** The month and those before it, newest first. */
  let months: string[];

  beforeAll(async () => {
    // Without a worker, so that nothing is recorded during the count.
    app = await startApp({ clock: new SetClock(now), roles: 'api' });
    const { data } = await signIn(app.url, login);
    const accessToken = data.session!.access_token;
    api = new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });
    log = await recount(database, tenantId, now);
    const bus = app.nest.get(QueryBus);
    const known = [
      ...(await bus.execute(new ListNames(context(), 'active'))),
      ...(await bus.execute(new ListNames(context(), 'archived'))),
    ];
    names = new Map(known.map(({ id, nome }) => [id, nome]));
    months = [log.today.slice(0, 7)];
    while (months.length < 14) months.push(monthBefore(months.at(-1)!));
  });

  const context = () => nobodyOf(tenantId, 'America/Sao_Paulo');

  /** What pages show, by their address and the day before which debts are asked for: they are opened again and again while nothing is recorded. */
  const shown = new Map<string, Promise<{ total: number; texts: string[] }>>();
  const get = async <Answer>(path: string, query: object = {}) =>
    (await api.get<Answer>(path, { query: JSON.parse(JSON.stringify(query)) as Record<string, string> }))
      .body;

  /** The total of the lines behind a figure's link, and what else the sheet says that it makes of it. */
  const readSheet = async (search: URLSearchParams) => {
    if (search.get('figura') === 'sessoes_a_dar') {
      const asked = { month: log.today.slice(0, 7), limit: 1 };
      const { total } = await get<OwedSessionsPage>('/finance/owed-sessions', asked);
      return { total: total.valor, texts: [brl(total.valor)] };
    }
    const { figure, part } = askedIn(search, search.get('mes')!)!;
    const { total } = await get<FigureLines>('/finance/lines', { ...part, limit: 1 });
    if (figure === part.figura) return { total, texts: [brl(total)] };
    const months = await Promise.all(
      monthsIn(part).map((mes) => get<MonthSummary>(`/finance/months/${mes}`)),
    );
    const { receitas, ticket_medio, meta, aderencia, reserva_sugerida } = overMonths(months);
    const texts = {
      ticket_medio: [brl(ticket_medio ?? 0), plural(receitas, 'receita', 'receitas')],
      aderencia: [brl(meta - total), percent(aderencia)],
      reserva_sugerida: [brl(reserva_sugerida)],
    };
    return { total, texts: texts[figure as keyof typeof texts] };
  };

  /** `dueBefore`: of what is late, only what was due before this day. */
  const readStudent = async (id: string, dueBefore: string) => {
    const [{ nome, creditos }, { items, total }] = await Promise.all([
      get<Student>(`/students/${id}`),
      get<ChargePage>('/charges', { student_id: id, situacao: 'a_receber', limit: 100 }),
    ]);
    const late = items.filter(({ vencimento }) => vencimento < dueBefore);
    const owed = [total.falta, late.reduce((sum, { falta }) => sum + falta, 0)];
    const texts = [
      nome,
      ...owed.map(brl),
      plural(total.quantidade, 'cobrança', 'cobranças'),
      plural(creditos, 'crédito', 'créditos'),
      String(creditos),
    ];
    return { total: total.falta, texts };
  };

  const readPage = async (fonte: string, dueBefore: string) => {
    const { pathname, searchParams } = new URL(fonte, 'http://rende');
    if (pathname === '/financeiro') return readSheet(searchParams);
    if (pathname.startsWith('/alunos/')) return readStudent(pathname.slice('/alunos/'.length), dueBefore);
    const { falta, vencido, faixas } = await get<Receivables>('/receivables');
    const ages = faixas.map((age) => brl(age.falta));
    return { total: falta, texts: [brl(falta), brl(vencido), ...ages] };
  };

  /** Follows the link of a figure: every amount, and every count of a student, is on the page to the cent. */
  const expectCounted = async (question: string, text: string, fonte: string, figures: Figures) => {
    if (!/^\/(financeiro|alunos\/|cobrancas)/.test(fonte) || !/R\$|receita|crédito|cobrança/.test(text))
      return;
    const dueBefore = question.includes('há mais de um mês') ? dayBefore(log.today, 30) : log.today;
    const page = `${fonte} ${dueBefore}`;
    if (!shown.has(page)) shown.set(page, readPage(fonte, dueBefore));
    const { total, texts } = (await shown.get(page))!;
    // What a raise would bring is computed from the lines; the answer says what they add up to.
    const isSupposed = question.startsWith('e se') && fonte.includes('ticket_medio') && text.includes('R$');
    const said = isSupposed ? figures.map(([each]) => each) : texts;
    expect([question, fonte, said]).toEqual([
      question,
      fonte,
      expect.arrayContaining([isSupposed ? brl(total) : text]),
    ]);
  };

  /** What an answer says with a link, in its order; no other part of it has a number but what was asked. */
  const figuresOf = async (question: string): Promise<Figures> => {
    const waiting = { signal: new AbortController().signal, beforeModel: () => Promise.resolve() };
    const parts = await app.nest
      .get(Advisor)
      .answer(context(), [{ role: 'user', content: question }], waiting);
    const plain = parts
      .filter(({ fonte }) => !fonte)
      .map(({ content }) =>
        content.replaceAll(
          /\b20\d\d\b|R\$\u00a020,00 a mais|12,5% a mais|\(\d+ meses\)|últimos 14 dias|há 31 dias ou mais|^(De|Em) \d\d\/\d\d(\/\d{4})?( a \d\d\/\d\d(\/\d{4})?)?/g,
          '',
        ),
      );
    expect([question, plain.join('|')]).toEqual([question, expect.not.stringMatching(/\d/)]);
    const figures = parts.flatMap(({ content, fonte }): Figures => (fonte ? [[content, fonte]] : []));
    for (const [text, fonte] of figures) await expectCounted(question, text, fonte, figures);
    return figures;
  };
  const expectFigures = async (question: string, expected: Figures) =>
    expect([question, await figuresOf(question)]).toEqual([question, expected]);

  const figure = (mes: string, what: string) => `/financeiro?mes=${mes}&figura=${what}`;
  const over = ({ de, ate }: Period, what: string, more = {}) => {
    const days = daysOf({ de, ate });
    const asked = new URLSearchParams({ mes: ate, figura: what, ...days, ...more });
    return `/financeiro?${asked.toString()}`;
  };
  const paidBy = (id: string, mes: string) => over(single(mes), 'recebido', { aluno: id });

  const single = (mes: string): Period => ({ de: mes, ate: mes });
  const called = (mes: string) => `${monthName(mes, '1999-01-01')}`;
  const percent = (value: number) => `${value.toLocaleString('pt-BR', { maximumFractionDigits: 1 })}%`;
  const day = (date: string) => shortDate(date).slice(0, 5);
  const student = (id: string) => `/alunos/${id}`;
  const settings = '/ajustes/configuracoes';

  it('of a month', async () => {
    for (const mes of months) {
      const { recebido, despesas, receitas, lucro, previsto, partes, guardar, ticket } = log.month(mes);
      const isRunning = mes === months[0];
      const got: Figures[number] = [brl(recebido), figure(mes, 'recebido')];
      const expected: Figures[number] = [brl(previsto), figure(mes, 'previsto')];
      const counted: Figures[number] = [plural(receitas, 'receita', 'receitas'), figure(mes, 'ticket_medio')];
      const of = called(mes);
      await expectFigures(`quanto recebi em ${of}?`, [
        got,
        ...(receitas > 0 ? [counted] : []),
        ...(isRunning ? [expected] : []),
      ]);
      await expectFigures(`qual era o previsto de ${of}?`, [expected, got]);
      await expectFigures(`quanto gastei em ${of}?`, [[brl(despesas), figure(mes, 'despesas')]]);
      await expectFigures(`qual o lucro de ${of}?`, [
        ...([[brl(lucro), figure(mes, 'lucro')], got] as Figures),
        [brl(despesas), figure(mes, 'despesas')],
      ]);
      const saved: Figures = [
        [brl(guardar), figure(mes, 'reserva_sugerida')],
        [`${log.share}%`, settings],
        got,
      ];
      await expectFigures(`quanto devia guardar em ${of}?`, recebido === 0 ? [] : saved);
      await expectFigures(
        `quanto separar de imposto em ${of}?`,
        recebido === 0 ? [] : [[brl(partes.imposto), figure(mes, 'imposto')]],
      );
      await expectFigures(
        `qual o ticket médio de ${of}?`,
        receitas === 0 ? [] : [[brl(ticket), figure(mes, 'ticket_medio')], got, counted],
      );
      const goal: Figures[number] = [brl(log.meta), settings];
      const share: Figures[number] = [
        percent(Math.round((recebido * 1000) / log.meta) / 10),
        figure(mes, 'aderencia'),
      ];
      const left = getDaysInMonth(parseISO(log.today)) - Number(log.today.slice(8)) + 1;
      const daysLeft: Figures = isRunning ? [[plural(left, 'dia', 'dias'), figure(mes, 'aderencia')]] : [];
      await expectFigures(
        `como foi a meta de ${of}?`,
        recebido >= log.meta
          ? [goal, got, share]
          : [[brl(log.meta - recebido), figure(mes, 'aderencia')], goal, got, share, ...daysLeft],
      );
      for (const [words, more] of [
        ['R$\u00a020', 2_000 * receitas],
        ['12,5%', Math.round(recebido * 0.125)],
      ] as const)
        await expectFigures(
          `e se eu cobrasse ${words} a mais em ${of}?`,
          receitas === 0
            ? []
            : [
                got,
                counted,
                [brl(more), figure(mes, 'ticket_medio')],
                [brl(recebido + more), figure(mes, 'ticket_medio')],
              ],
        );
      const taxes = log.spentOn('impostos', mes);
      await expectFigures(
        `quanto paguei de imposto em ${of}?`,
        taxes === 0 ? [] : [[brl(taxes), over(single(mes), 'despesas', { categoria: 'impostos' })]],
      );
      const traffic = log.spentOn('transporte', mes);
      await expectFigures(
        `quanto gastei de gasolina em ${of}?`,
        traffic === 0 ? [] : [[brl(traffic), over(single(mes), 'despesas', { categoria: 'transporte' })]],
      );
      await expectFigures(`quanto recebi no pix em ${of}?`, [
        [brl(log.byMethod('receita', 'pix', mes)), over(single(mes), 'recebido', { meio: 'pix' })],
      ]);
      await expectFigures(`quanto gastei no cartão em ${of}?`, [
        [
          brl(log.byMethod('despesa', 'cartao_credito', mes)),
          over(single(mes), 'despesas', { meio: 'cartao_credito' }),
        ],
      ]);
      const paid = new Map(log.people.map(({ id }) => [id, log.paidBy(id, mes)]));
      const payers = [...paid].filter(([, sum]) => sum > 0);
      const most = payers.map(([, sum]) => sum).toSorted((a, b) => b - a);
      const [count, ...named] = await figuresOf(`quem pagou em ${of}?`);
      const students = (number: number) => [plural(number, 'aluno', 'alunos'), figure(mes, 'recebido')];
      expect(count).toEqual(payers.length === 0 ? undefined : students(payers.length));
      const rest = named.length % 2 === 1 ? named.pop() : undefined;
      expect(rest).toEqual(payers.length > 5 ? students(payers.length - 5) : undefined);
      expect(named.filter((_, n) => n % 2 === 1).map(([text]) => text)).toEqual(
        most.slice(0, 5).map((sum) => brl(sum)),
      );
      for (const [n, [nome, fonte]] of named.entries()) {
        const id = fonte.replace('/alunos/', '');
        if (n % 2 === 0)
          expect([nome, named[n + 1]]).toEqual([names.get(id), [brl(paid.get(id)!), paidBy(id, mes)]]);
      }
    }
  });

  it('of several months', async () => {
    const [current, last] = months as [string, string];
    const period = { de: months[4]!, ate: last };
    const span = monthsOf(period);
    const totals = span.map((mes) => log.month(mes));
    const sum = (what: 'recebido' | 'despesas' | 'lucro' | 'previsto') =>
      totals.reduce((all, each) => all + each[what], 0);
    const asked = `de ${called(period.de)} a ${called(period.ate)}`;
    for (const [what, words] of [
      ['recebido', 'quanto recebi'],
      ['despesas', 'quanto gastei'],
      ['lucro', 'qual o lucro'],
      ['previsto', 'qual era o previsto'],
    ] as const)
      await expectFigures(`${words} ${asked}?`, [
        [brl(sum(what)), over(period, what)],
        ...span.map((mes, n): Figures[number] => [brl(totals[n]![what]), figure(mes, what)]),
      ]);
    const [received, counted] = [sum('recebido'), totals.reduce((all, each) => all + each.receitas, 0)];
    const got: Figures[number] = [brl(received), over(period, 'recebido')];
    await expectFigures(`qual o ticket médio ${asked}?`, [
      ...([[brl(Math.round(received / counted)), over(period, 'ticket_medio')], got] as Figures),
      [plural(counted, 'receita', 'receitas'), over(period, 'ticket_medio')],
    ]);
    await expectFigures(`quanto devia guardar ${asked}?`, [
      [brl(totals.reduce((all, each) => all + each.guardar, 0)), over(period, 'reserva_sugerida')],
      [`${log.share}%`, settings],
      got,
    ]);
    const operacional = totals.reduce((all, { partes }) => all + partes.operacional, 0);
    await expectFigures(`quanto vai para o operacional ${asked}?`, [
      [brl(operacional), over(period, 'operacional')],
    ]);
    const year = Number(current.slice(0, 4));

    for (const [question, ahead] of [
      [
        `qual o previsto de ${called(current)} a dezembro de ${year + 1}?`,
        { de: current, ate: `${year + 1}-12` },
      ],
      ['qual o previsto até o fim do ano?', { de: current, ate: `${year}-12` }],
    ] as const) {
      const to = monthsOf(ahead);
      const each = to.map((mes): Figures[number] => [brl(log.month(mes).previsto), figure(mes, 'previsto')]);
      const total = to.reduce((all, mes) => all + log.month(mes).previsto, 0);
      const own = [brl(log.month(current).recebido), figure(current, 'recebido')] as Figures[number];
      await expectFigures(question, [
        ...(to.length === 1 ? [...each, own] : [[brl(total), over(ahead, 'previsto')] as Figures[number]]),
        ...(to.length > 1 && to.length <= 6 ? each : []),
      ]);
    }
    for (const [question, one, other] of [
      [`compare ${called(last)} com ${called(current)}`, single(last), single(current)],
      [
        `compare ${year - 1} com ${year}`,
        { de: `${year - 1}-01`, ate: `${year - 1}-12` },
        { de: `${year}-01`, ate: current },
      ],
    ] as const) {
      const of = (period: Period, what: 'recebido' | 'despesas' | 'lucro') =>
        monthsOf(period).reduce((all, mes) => all + log.month(mes)[what], 0);
      const linkOf = (of: Period, what: string) => (of.de === of.ate ? figure(of.de, what) : over(of, what));
      await expectFigures(
        question,
        (['recebido', 'despesas', 'lucro'] as const).flatMap((what): Figures => {
          const [a, b] = [of(one, what), of(other, what)];
          const share = Math.abs(Math.round(((b - a) * 1000) / Math.abs(a)) / 10);
          const change = `${b >= a ? '+' : '−'}${percent(share)}`;
          return [
            [brl(a), linkOf(one, what)],
            [brl(b), linkOf(other, what)],
            ...(a === 0 ? [] : [[change, linkOf(other, what)] as Figures[number]]),
          ];
        }),
      );
    }
    const recent = months.slice(0, 12).toReversed();
    const begun = recent.slice(recent.findIndex((mes) => log.month(mes).recebido !== 0));
    const income = (mes: string) => log.month(mes).recebido;
    const best = begun.toSorted((a, b) => income(b) - income(a))[0]!;
    const worst = begun.filter((mes) => mes !== current).toSorted((a, b) => income(a) - income(b))[0]!;
    await expectFigures('qual foi meu melhor mês?', [[brl(income(best)), figure(best, 'recebido')]]);
    await expectFigures('qual foi meu pior mês?', [[brl(income(worst)), figure(worst, 'recebido')]]);
  });

  it('of days and weeks', async () => {
    const { today } = log;
    const ago = (days: number) => dayBefore(today, days);
    const [current, last] = months as [string, string];
    const [, month, number] = ago(9).split('-').map(Number) as [number, number, number];
    for (const [words, { de, ate }] of [
      ['hoje', { de: today, ate: today }],
      ['ontem', { de: ago(1), ate: ago(1) }],
      [`em ${number}/${month}`, { de: ago(9), ate: ago(9) }],
      ['esta semana', weekOf(today)],
      ['semana passada', weekOf(today, -1)],
      ['nos últimos 15 dias', { de: ago(14), ate: today }],
      [`de 3 a 10 de ${called(last)}`, { de: `${last}-03`, ate: `${last}-10` }],
      [`de 20 de ${called(last)} a 5 de ${called(current)}`, { de: `${last}-20`, ate: `${current}-05` }],
    ] as const) {
      const sums = log.days(de, ate);
      const of = (figura: 'recebido' | 'despesas' | 'lucro' | 'previsto'): Figures[number] => [
        brl(sums[figura]),
        `/financeiro?${new URLSearchParams({ mes: ate.slice(0, 7), figura, de, ate }).toString()}`,
      ];
      await expectFigures(`quanto recebi ${words}?`, [of('recebido')]);
      await expectFigures(`quanto gastei ${words}?`, [of('despesas')]);
      await expectFigures(`qual foi o lucro ${words}?`, [of('lucro'), of('recebido'), of('despesas')]);
    }
    const { de, ate } = weekOf(today, 1);
    await expectFigures('qual o previsto da semana que vem?', [
      [
        brl(log.days(de, ate).previsto),
        `/financeiro?${new URLSearchParams({ mes: ate.slice(0, 7), figura: 'previsto', de, ate }).toString()}`,
      ],
    ]);
  });

  it('of the agenda', async () => {
    const { today } = log;
    const weeks = [
      ['esta semana', weekOf(today)],
      ['semana passada', weekOf(today, -1)],
      ['semana que vem', weekOf(today, 1)],
    ] as const;
    const whole = months
      .slice(1, 4)
      .map((mes) => [`em ${called(mes)}`, daysOf({ de: mes, ate: mes })] as const);
    for (const [words, days] of [...weeks, ...whole]) {
      const hours = log.hours(days.de, days.ate);
      const link = agendaLink(days);
      const count = (status: string) => hours.filter((each) => each.status === status).length;
      const [scheduled, done, cancelled] = [count('agendada'), count('feita'), count('cancelada')];
      const held = hours.filter(({ status }) => status !== 'cancelada');
      const heldOn = (dia: string) => held.filter((each) => each.dia === dia).length;
      const [full] = held
        .map(({ dia }) => dia)
        .toSorted()
        .toSorted((a, b) => heldOn(b) - heldOn(a));
      const fullLink = full && agendaLink({ de: full, ate: full });
      await expectFigures(`quantas sessões tenho ${words}?`, [
        ...(full ? [[plural(scheduled + done, 'sessão', 'sessões'), link] as Figures[number]] : []),
        ...(done > 0 ? [[plural(done, 'feita', 'feitas'), link] as Figures[number]] : []),
        ...(scheduled > 0 ? [[plural(scheduled, 'agendada', 'agendadas'), link] as Figures[number]] : []),
        ...(full
          ? ([
              [namedDay(full), fullLink!],
              [String(heldOn(full)), fullLink!],
            ] as Figures)
          : []),
        ...(cancelled > 0 ? [[plural(cancelled, 'cancelada', 'canceladas'), link] as Figures[number]] : []),
      ]);
    }
  });

  it('of the students', async () => {
    const [, last] = months as [string, string];
    const open = log.open();
    const byOldest = [...new Set(open.map(({ student_id }) => student_id))];
    const owing = byOldest.filter((id) => log.late(log.open(id)).length > 0);
    expect(owing.length).toBeGreaterThan(0);
    const debtors = (await figuresOf('quem está devendo?')).filter(([text]) => text !== 'Ver todos');
    expect(debtors.slice(0, 2)).toEqual([
      [brl(log.owed(log.late(open))), '/cobrancas'],
      [brl(log.owed(open)), '/cobrancas'],
    ]);
    await expectFigures('quanto tenho a receber?', [
      [brl(log.owed(open)), '/cobrancas'],
      [brl(log.owed(log.late(open))), '/cobrancas'],
    ]);
    const rows = (figures: Figures, width: number) =>
      Array.from({ length: figures.length / width }, (_, n) => figures.slice(n * width, (n + 1) * width));
    const shown = rows(debtors.slice(2), 3);
    expect(shown).toHaveLength(Math.min(owing.length, 5));
    for (const row of shown) {
      const id = row[0]![1].replace('/alunos/', '');
      const own = log.open(id);
      expect(row.map(([text]) => text)).toEqual([
        names.get(id),
        brl(log.owed(log.late(own))),
        day(own[0]!.vencimento),
      ]);
      expect(row.every(([, fonte]) => fonte === student(id))).toBe(true);
    }

    const overdue = log.open().filter(({ vencimento }) => vencimento < dayBefore(log.today, 30));
    const [owedLong, ...old] = (await figuresOf('quem está atrasado há mais de um mês?')).filter(
      ([text]) => text !== 'Ver todos',
    );
    expect(owedLong).toEqual(overdue.length === 0 ? undefined : [brl(log.owed(overdue)), '/cobrancas']);
    for (const [nome, sum, since] of rows(old, 3)) {
      const id = nome![1].replace('/alunos/', '');
      const own = overdue.filter(({ student_id }) => student_id === id);
      expect([nome![0], sum![0], since![0]]).toEqual([
        names.get(id),
        brl(log.owed(own)),
        day(own[0]!.vencimento),
      ]);
    }

    const holders = log.active.filter(({ id }) => log.credits(id) > 0);
    const total = holders.reduce((sum, { id }) => sum + log.credits(id), 0);
    const lessons = await figuresOf('quantas aulas eu devo?');
    const most = holders.map(({ id }) => log.credits(id)).toSorted((a, b) => b - a);
    if (total > 0)
      expect(lessons.slice(0, 2)).toEqual([
        [plural(total, 'sessão', 'sessões'), '/alunos'],
        [plural(holders.length, 'aluno', 'alunos'), '/alunos'],
      ]);
    expect(rows(lessons.slice(2, 2 + 2 * Math.min(5, holders.length)), 2)).toEqual(
      most.slice(0, 5).map((credits) => [
        [expect.any(String), expect.stringMatching(/^\/alunos\/./)],
        [String(credits), expect.any(String)],
      ]),
    );
    const owed = await recountOwed(tenantId, now, []);
    if (owed.valor > 0)
      expect(lessons.slice(-2)).toEqual([
        [plural(owed.sessoes, 'sessão', 'sessões'), '/financeiro?figura=sessoes_a_dar'],
        [brl(owed.valor), '/financeiro?figura=sessoes_a_dar'],
      ]);
    for (const [text, fonte] of lessons.slice(2).filter(([digits]) => /^\d+$/.test(digits)))
      expect([text, fonte]).toEqual([String(log.credits(fonte.replace('/alunos/', ''))), fonte]);

    const low = (await figuresOf('quem está com créditos acabando?')).filter(
      ([text]) => text !== 'Ver todos',
    );
    const lowIds = [...new Set(low.map(([, fonte]) => fonte.replace('/alunos/', '')))];
    expect(lowIds).toHaveLength(Math.min(log.low.length, 5));
    for (const id of lowIds) {
      const [soonest] = log
        .expiring(id)
        .map(({ expira_em }) => expira_em!)
        .toSorted();
      expect(log.low.map((each) => each.id)).toContain(id);
      expect(low.filter(([, fonte]) => fonte === student(id)).map(([text]) => text)).toEqual([
        names.get(id),
        plural(log.credits(id), 'crédito', 'créditos'),
        ...(soonest ? [day(soonest)] : []),
      ]);
    }

    const fading = (await figuresOf('quem está sumindo?')).filter(([text]) => text !== 'Ver todos');
    expect(rows(fading, 2)).toHaveLength(Math.min(log.fading.length, 5));
    expect(log.fading.length).toBeGreaterThan(0);
    for (const row of rows(fading, 2)) {
      const id = row[0]![1].replace('/alunos/', '');
      const last = log.lastDone(id);
      expect(log.fading.map((each) => each.id)).toContain(id);
      expect(row[0]![0]).toBe(names.get(id));
      expect(row[1]![0]).toMatch(last ? `última sessão em ${day(last)}` : 'nenhuma sessão feita');
    }

    for (const { id } of log.active) {
      const nome = names.get(id)!;
      const own = log.open(id);
      await expectFigures(`quanto ${nome} pagou em ${called(last)}?`, [
        [nome, student(id)],
        [brl(log.paidBy(id, last)), paidBy(id, last)],
      ]);
      await expectFigures(`quanto ${nome} deve?`, [
        [nome, student(id)],
        ...(own.length === 0
          ? []
          : ([
              [brl(log.owed(own)), student(id)],
              [plural(own.length, 'cobrança', 'cobranças'), student(id)],
              [day(own[0]!.vencimento), student(id)],
            ] as Figures)),
      ]);
      await expectFigures(`quantos créditos ${nome} tem?`, [
        [nome, student(id)],
        [plural(log.usable(id), 'crédito', 'créditos'), student(id)],
      ]);
    }
  });
});
