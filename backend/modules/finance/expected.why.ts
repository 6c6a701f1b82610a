import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Asker, Thing, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { plural } from '../../platform/plural.api.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { agreedIn, dueIn, pausedIn } from './expected.queries.js';
import { expected } from './figure-lines.queries.js';
import { lastDayOf } from './month.js';

/** Lines of a part in an answer. */
const MOST_LINES = 100;

/** What previsto is made of, in the order in which it is said: as it was charged and agreed, and what changed it. */
const parts = {
  mensalidade: { nome: 'Mensalidades cobradas', one: 'mensalidade', other: 'mensalidades' },
  a_cobrar: { nome: 'Mensalidades a cobrar', one: 'mensalidade combinada', other: 'mensalidades combinadas' },
  plano: { nome: 'Pacotes e renovações', one: 'cobrança', other: 'cobranças' },
  sessao: { nome: 'Sessões avulsas', one: 'cobrança', other: 'cobranças' },
  taxa: { nome: 'Taxas de faltas e cancelamentos', one: 'cobrança', other: 'cobranças' },
  avulsa: { nome: 'Outras cobranças', one: 'cobrança', other: 'cobranças' },
  pausa: { nome: 'Alunos em pausa', one: 'mensalidade que não entra', other: 'mensalidades que não entram' },
  desconto: { nome: 'Descontos', one: 'cobrança alterada', other: 'cobranças alteradas' },
  acrescimo: { nome: 'Acréscimos', one: 'cobrança alterada', other: 'cobranças alteradas' },
  estorno: { nome: 'Devoluções', one: 'devolução', other: 'devoluções' },
} as const;
type Part = keyof typeof parts;

interface Line {
  posicao: number | null;
  /** The charge, or the student whose monthly plan it is. */
  id: string;
  mensal: boolean;
  aluno: string | null;
  titulo: string | null;
  vencimento: string;
  valor: number;
  /** Last day of a pause. */
  ate: string | null;
}

interface Row {
  partes: { parte: Part; valor: number; quantidade: number; linhas: Line[] }[];
}

interface Asked {
  first: string;
  last: string;
  current: string;
  most: number;
}

/** When each agreement was last made, and each pause begun, also by another record of the student. */
const lastOf = (type: 'MonthlyPlanSet' | 'StudentPaused') => sql`(select h.position from history h
  where h.tenant_id = s.tenant_id and h.type = ${sql.lit(type)}
    and h.subject = any (array(select 'student:' || same.id from same_student(s.id) as same (id)))
  order by h.position desc limit 1)`;

/** One row, also for a month of which nothing is expected. */
const row = statement((db, { first, last, current, most }: Blanks<Asked>) => {
  const mes = sql`${first}::date`;
  const agreed = sql`s.id, true as mensal, s.nome as aluno,
    (select p.nome from plans p where p.tenant_id = a.tenant_id and p.id = a.plano_id) as titulo,
    ${dueIn(mes)} as vencimento`;
  return sql<Row>`
  with moved as (
    select c.id, false as mensal, d.aluno, d.titulo, d.data as vencimento, h.position as posicao, c.origem, h.type,
      case h.type
        when 'ChargeIssued' then (h.data ->> 'valor')::bigint
        when 'ChargePaid' then coalesce((h.data ->> 'multa')::bigint + (h.data ->> 'juros')::bigint - (h.data ->> 'desconto')::bigint, 0)
        when 'ChargePaymentReversed' then -coalesce((h.data ->> 'acrescimo')::bigint, 0)
        when 'ChargeChanged' then (h.data ->> 'valor')::bigint - (h.data -> 'antes' ->> 'valor')::bigint
        else case when (h.data ->> 'valor_cobrado')::bigint > 0 then -(h.data ->> 'valor')::bigint end
      end as valor, null::date as ate
    from ${expected({ de: first, ate: last, current })} d
    join charges c on c.id = d.id and d.origem = 'cobranca'
    cross join lateral (
      select * from history where tenant_id = c.tenant_id and subject = 'charge:' || c.id
        and type in ('ChargeIssued', 'ChargeChanged', 'ChargePaid', 'ChargePaymentReversed', 'ChargeRefunded') offset 0
    ) h
  ), lines as (
    select case type when 'ChargeIssued' then origem when 'ChargeRefunded' then 'estorno'
        -- What an undone payment gives back belongs to what the payment had changed.
        else case when (valor < 0) <> (type = 'ChargePaymentReversed') then 'desconto' else 'acrescimo' end end as parte,
      posicao, id, mensal, aluno, titulo, vencimento, valor, ate
    from moved where valor <> 0
    union all
    select 'a_cobrar', ${lastOf('MonthlyPlanSet')}, ${agreed}, a.valor, null
    ${agreedIn(mes)} and ${mes} >= ${current}::date
    union all
    select 'pausa', ${lastOf('StudentPaused')}, ${agreed}, -a.valor, (select max(u.ate) ${pausedIn(mes)})
    ${agreedIn(mes)} and ${mes} >= ${current}::date and exists (select ${pausedIn(mes)})
  ), numbered as (
    select *, row_number() over (partition by parte order by vencimento desc, posicao desc, id) as n from lines
  ), summed as (
    select parte, sum(valor)::bigint as valor, count(*)::int as quantidade,
      json_agg(json_build_object('posicao', posicao, 'id', id, 'mensal', mensal, 'aluno', aluno, 'titulo', titulo,
        'vencimento', vencimento, 'valor', valor, 'ate', ate) order by n) filter (where n <= ${most}::int) as linhas
    from numbered group by parte having sum(valor) <> 0
  )
  select coalesce(json_agg(json_build_object('parte', parte, 'valor', valor, 'quantidade', quantidade, 'linhas', linhas)), '[]')
    as partes
  from summed`.compile(db);
});

/** Previsto of a month (`2026-11`), which its parts add up to; and a part (`2026-11/desconto`), with what set each of its amounts. */
export const expectedWhy: WhySource = {
  rows({ id, today }: { id: string; today: string }) {
    const mes = id.slice(0, 7);
    const current = `${today.slice(0, 7)}-01`;
    return row({ first: `${mes}-01`, last: lastDayOf(mes), current, most: MOST_LINES });
  },
  explain([{ partes }]: [Row], _events, _asker: Asker, { id }: Thing) {
    const [mes = '', asked] = id.split('/');
    const found = (Object.keys(parts) as Part[]).flatMap((name) =>
      partes.filter(({ parte }) => parte === name),
    );
    const part = found.find(({ parte }) => parte === asked);
    if (asked !== undefined && !part) return undefined;
    return {
      // Nobody's but the trainer's.
      student_id: null,
      ...(part ? partInWords(part) : monthInWords(mes, found)),
      causes: [],
    };
  },
};

function monthInWords(mes: string, found: Row['partes']) {
  const total = found.reduce((sum, { valor }) => sum + valor, 0);
  const month = `${mes.slice(5)}/${mes.slice(0, 4)}`;
  const what =
    found.length === 0
      ? `Em ${month} não vence nenhuma cobrança, e não há mensalidade a cobrar.`
      : `${brl(total)} em ${month}: a soma ${found.length === 1 ? 'desta parte' : `destas ${found.length} partes`}.`;
  return {
    pergunta: `Por que o previsto é ${brl(total)}?`,
    links: [
      { titulo: 'Previsto', texto: what, posicao: null },
      ...found.map(({ parte, valor, quantidade }): WhyLink => ({
        titulo: parts[parte].nome,
        texto: `${signed(valor)}: ${plural(quantidade, parts[parte].one, parts[parte].other)}.`,
        posicao: null,
        of: { kind: 'expected', id: `${mes}/${parte}` },
      })),
    ],
  };
}

function partInWords({ parte, valor, quantidade, linhas }: Row['partes'][number]) {
  const shown = linhas.reduce((sum, line) => sum + line.valor, 0);
  const rest = quantidade - linhas.length;
  return {
    pergunta: `${parts[parte].nome}: por que ${signed(valor)}?`,
    links: [
      ...linhas.map((line): WhyLink => ({
        titulo: line.aluno ?? 'Aluno apagado',
        texto: `${signed(line.valor)}: ${line.titulo ?? 'sem descrição'}, ${line.ate === null ? `com vencimento em ${shortDate(line.vencimento)}` : `em pausa até ${shortDate(line.ate)}`}.`,
        posicao: line.posicao,
        of: { kind: line.mensal ? 'monthly' : 'charge', id: line.id },
      })),
      ...(rest > 0
        ? [
            {
              titulo: 'Outras',
              texto: `${signed(valor - shown)}: mais ${plural(rest, 'linha', 'linhas')}.`,
              posicao: null,
            },
          ]
        : []),
    ],
  };
}

const signed = (cents: number) => `${cents < 0 ? '\u2212' : ''}${brl(Math.abs(cents))}`;
