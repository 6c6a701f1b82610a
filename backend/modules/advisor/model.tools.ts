import * as z from 'zod/mini';
import { calendarDate, rule, text } from '../../platform/http/common.api.js';
import { allocationKind, month, type MonthSummary } from '../finance/finance.api.js';
import { ShowYear } from '../finance/finance.queries.js';
import { GetStudent } from '../students/students.queries.js';
import { agendaLink, loadOf, namedDay, sessions } from './agenda-answers.js';
import { daysOf } from './days.js';
import type { Fact } from './model-facts.js';
import type { ModelNames } from './model-names.js';
import { COMPARED, type Months, type SummedFigure, sumOf } from './months-answers.js';
import type { Named } from './names.js';
import { MOST_NAMED } from './people-answers.js';
import { monthsOf, type Period, single } from './period.js';
import type { Reading } from './reading.loads.js';
import {
  day,
  figureLink,
  inPeriod,
  counted,
  linked,
  linesLink,
  money,
  onDays,
  type Part,
  percent,
  studentLink,
  sumLink,
} from './saying.js';

/** The context of a tool, which allows only reads. */
export interface ToolUse {
  reading: Reading;
  names: ModelNames;
}

/** The facts that a tool found, or an error for the model. */
export type Found = readonly Fact[] | { erro: string };

export interface Tool {
  name: string;
  description: string;
  args: z.ZodMiniType;
  /** Checks the arguments by `args`, and reads. */
  run(args: unknown, use: ToolUse): Promise<Found>;
}

const MOST_MONTHS = 24;
const MOST_DAYS = 366;
const SETTINGS = '/ajustes/configuracoes';

function tool<Args extends z.ZodMiniType>(
  name: string,
  description: string,
  args: Args,
  find: (args: z.infer<Args>, use: ToolUse) => Promise<Found>,
): Tool {
  return {
    name,
    description,
    args,
    run: async (given, use) => {
      const { data, success } = z.safeParse(args, given);
      return success ? find(data, use) : { erro: 'argumentos inválidos' };
    },
  };
}

const isMonths = ({ de, ate }: Period) => de <= ate && monthsOf({ de, ate }).length <= MOST_MONTHS;
const period = z
  .strictObject({ de: month, ate: month })
  .check(rule(isMonths, `Informe até ${MOST_MONTHS} meses`, ['ate']));
const days = z
  .strictObject({ de: calendarDate, ate: calendarDate })
  .check(
    rule(
      ({ de, ate }) => de <= ate && Date.parse(ate) - Date.parse(de) <= MOST_DAYS * 86_400_000,
      'Informe até um ano',
      ['ate'],
    ),
  );

const fact = (o_que: string, { content, fonte }: Part, more: Partial<Fact> = {}): Fact => ({
  o_que,
  texto: content,
  fonte: fonte!,
  ...more,
});
const called = (of: Period, { today }: Reading): string => inPeriod(of, today);
const when = (of: Period, reading: Reading): Fact =>
  fact('período', linked(called(of, reading), sumLink(of, 'recebido')), { isPeriod: true });
/** A sum of a period, which is called like its figure unless it is given a label. */
const summed = (figure: string, cents: number, of: Period, reading: Reading, label = figure): Fact =>
  fact(`${label} ${called(of, reading)}`, money(cents, sumLink(of, figure)));
const whose = ({ id, nome }: { id: string; nome: string | null }) => ({
  aluno: { id, nome: nome ?? 'Aluno apagado' },
});

function monthFacts(of: MonthSummary, reading: Reading): Fact[] {
  const own = single(of.mes);
  const amount = (label: string, cents: number, figure = label) => summed(figure, cents, own, reading, label);
  const receipts = counted(of.receitas, 'receita', 'receitas', figureLink(of.mes, 'ticket_medio'));
  return [
    when(own, reading),
    ...([...COMPARED, 'previsto'] as const).map((figure) => amount(figure, of[figure])),
    ...(of.ticket_medio === null ? [] : [amount('ticket médio', of.ticket_medio, 'ticket_medio')]),
    fact(`receitas ${called(own, reading)}`, receipts),
    amount('quanto guardar', of.reserva_sugerida, 'reserva_sugerida'),
    ...allocationKind.options.map((kind) => amount(`parte para ${kind}`, of.alocacoes[kind], kind)),
  ];
}

const one = async (mes: string, reading: Reading): Promise<MonthSummary> =>
  (await reading.months(single(mes))).months[0]!;

/** The difference of a figure, also in percent unless it was 0. */
function change(figure: SummedFigure, before: Months, after: Months): Fact[] {
  const [was, is] = [sumOf(before.months, figure), sumOf(after.months, figure)];
  const link = sumLink(after.period, figure);
  const difference = fact(`diferença de ${figure}`, money(is - was, link));
  if (was === 0) return [difference];
  const share = Math.round(((is - was) * 1000) / Math.abs(was)) / 10;
  return [difference, fact(`variação de ${figure}`, linked(percent(share), link))];
}

async function studentFacts(student: Named, of: Period, reading: Reading): Promise<Found> {
  const link = studentLink(student.id);
  const [{ creditos }, open, paid] = await Promise.all([
    reading.read(new GetStudent(reading.context, student.id)),
    reading.openCharges(student.id),
    reading.sum({ figura: 'recebido', ...daysOf(of), student_id: student.id }),
  ]);
  const [first] = open.items;
  const own = (o_que: string, part: Part) => fact(o_que, part, { aluno: student });
  return [
    own('créditos', counted(creditos, 'crédito', 'créditos', link)),
    own('em aberto', money(open.total.falta, link)),
    ...(first ? [own('vencimento mais antigo', linked(day(first.vencimento), link))] : []),
    own(`pago ${called(of, reading)}`, money(paid, linesLink(daysOf(of), 'recebido', { aluno: student.id }))),
  ];
}

/** The data that the model may read: the same figures as on pages, but no texts about people. */
export const tools: readonly Tool[] = [
  tool('mes', 'Os números de um mês', z.strictObject({ mes: month }), async ({ mes }, { reading }) => {
    const [days, categoria] = [daysOf(single(mes)), 'impostos' as const];
    const taxes = await reading.sum({ figura: 'despesas', ...days, categoria });
    const link = linesLink(days, 'despesas', { categoria });
    const paid = fact(`impostos pagos ${called(single(mes), reading)}`, money(taxes, link));
    return [...monthFacts(await one(mes, reading), reading), paid];
  }),
  tool(
    'ano',
    'Recebido, despesas e previsto de cada mês de um ano',
    z.strictObject({ ano: z.int().check(z.minimum(2000), z.maximum(2100)) }),
    async ({ ano }, { reading }) => {
      const [least, most] = [2023, Number(reading.today.slice(0, 4)) + 1];
      if (ano < least || ano > most) return { erro: 'ano sem dados' };
      const year = { de: `${ano}-01`, ate: `${ano}-12` };
      const { meses } = await reading.read(new ShowYear(reading.context, String(ano)));
      return (['recebido', 'despesas', 'previsto'] as const).flatMap((figure) => [
        summed(
          figure,
          meses.reduce((total, each) => total + each[figure], 0),
          year,
          reading,
        ),
        ...meses.map((each) => summed(figure, each[figure], single(each.mes), reading)),
      ]);
    },
  ),
  tool(
    'a_receber',
    'O que está em aberto e vencido, e quem deve mais',
    z.strictObject({}),
    async (_, use) => {
      const [{ falta, vencido }, { items }] = await use.reading.receivables();
      const late = items.filter((debtor) => debtor.vencido > 0).slice(0, MOST_NAMED);
      return [
        fact('em aberto ao todo', money(falta, '/cobrancas')),
        fact('vencido ao todo', money(vencido, '/cobrancas')),
        ...late.flatMap((debtor) => [
          fact('vencido', money(debtor.vencido, studentLink(debtor.id)), whose(debtor)),
          fact('vencido desde', linked(day(debtor.desde), studentLink(debtor.id)), whose(debtor)),
        ]),
      ];
    },
  ),
  tool(
    'aluno',
    'Créditos, valor em aberto e pago de um aluno; o pago é do período, ou deste mês',
    z.strictObject({ aluno: text(1, 200), periodo: z.optional(period) }),
    async ({ aluno, periodo }, { reading, names }) => {
      const [student, other] = names.meant(aluno);
      if (!student) return { erro: 'aluno desconhecido' };
      if (other) return { erro: 'mais de um aluno com este nome' };
      return studentFacts(student, periodo ?? single(reading.today.slice(0, 7)), reading);
    },
  ),
  tool(
    'sessoes_devidas',
    'Sessões que ainda não foram dadas (créditos válidos), e de quem são',
    z.strictObject({}),
    async (_, { reading }) => {
      const { total, quantos, alunos } = await reading.rank('creditos');
      return [
        fact('sessões a dar', counted(total, 'sessão', 'sessões', '/alunos')),
        fact('alunos com créditos', counted(quantos, 'aluno', 'alunos', '/alunos')),
        ...alunos.map((each) =>
          fact('créditos', counted(each.soma, 'crédito', 'créditos', studentLink(each.id)), whose(each)),
        ),
      ];
    },
  ),
  tool(
    'comparar',
    'Recebido, despesas e lucro de dois períodos, com a diferença de antes para depois',
    z.strictObject({ antes: period, depois: period }),
    async ({ antes, depois }, { reading }) => {
      const [before, after] = [await reading.months(antes), await reading.months(depois)];
      return [
        when(antes, reading),
        when(depois, reading),
        ...COMPARED.flatMap((figure) => [
          summed(figure, sumOf(before.months, figure), antes, reading),
          summed(figure, sumOf(after.months, figure), depois, reading),
          ...change(figure, before, after),
        ]),
      ];
    },
  ),
  tool(
    'meta',
    'A meta de um mês e quanto falta',
    z.strictObject({ mes: month }),
    async ({ mes }, { reading }) => {
      const { meta, recebido, aderencia, dias_restantes } = await one(mes, reading);
      const named = called(single(mes), reading);
      const link = figureLink(mes, 'aderencia');
      return [
        when(single(mes), reading),
        fact(`meta ${named}`, money(meta, SETTINGS)),
        summed('recebido', recebido, single(mes), reading),
        fact(`parte da meta ${named}`, linked(percent(aderencia), link)),
        fact(`falta para a meta ${named}`, money(Math.max(0, meta - recebido), link)),
        fact('dias restantes do mês', counted(dias_restantes, 'dia', 'dias', link)),
      ];
    },
  ),
  tool('agenda', 'Quantas sessões há em um período, e o dia mais cheio', days, async (of, { reading }) => {
    const { today } = reading;
    const { agendada, feita, cancelada, cheio } = loadOf(of, today, await reading.sessionDays(of));
    const [named, link] = [onDays(of, today), agendaLink(of)];
    return [
      fact('período', linked(named, link), { isPeriod: true }),
      fact(`sessões ${named}`, linked(sessions(agendada + feita), link)),
      fact(`agendadas ${named}`, counted(agendada, 'agendada', 'agendadas', link)),
      fact(`feitas ${named}`, counted(feita, 'feita', 'feitas', link)),
      fact(`canceladas ${named}`, counted(cancelada, 'cancelada', 'canceladas', link)),
      ...(cheio
        ? [
            fact('dia mais cheio', linked(namedDay(cheio.dia), agendaLink(single(cheio.dia)))),
            fact('sessões do dia mais cheio', linked(sessions(cheio.sessoes), agendaLink(single(cheio.dia)))),
          ]
        : []),
    ];
  }),
];
