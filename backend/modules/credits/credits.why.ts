import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, PastEvent, Thing, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { plural } from '../../platform/plural.api.js';
import { shortDate, weekdayAndTime } from '../../platform/portuguese.js';
import { accountsOf } from '../students/credit-accounts.queries.js';
import { lineKinds, type StatementLine } from './credits.api.js';

const credits = (quantity: number) => plural(quantity, 'crédito', 'créditos');
const until = (day: string | null) => (day === null ? '' : `, com validade até ${shortDate(day)}`);
const lot = (id: string): Thing => ({ kind: 'lot', id });

interface BalanceRow {
  saldo: number;
  lotes: (Pick<LotRow, 'restante' | 'quantidade' | 'expira_em' | 'plano' | 'reposicao'> & {
    id: string;
    posicao: number;
    /** Whose it is, where another student shares it. */
    de: string | null;
  })[];
}

const balanceRow = statement((db, { id, now }: Blanks<Asked>) =>
  sql<BalanceRow>`
  with usable as (
    select b.*, p.nome as plano, case when b.student_id <> ${id}
        then coalesce((select split_part(d.nome, ' ', 1) from students d where d.id = b.student_id), 'outro aluno') end as de
    from credit_lot_balances b left join plans p on p.tenant_id = b.tenant_id and p.id = b.plano_id
    where b.student_id = any(${accountsOf(sql`${id}::uuid`)}) and b.restante > 0 and (b.expires_at is null or b.expires_at > ${now}::timestamptz)
  )
  select (select coalesce(sum(restante), 0)::int from usable) as saldo,
    (select coalesce(json_agg(json_build_object('id', u.lot_id, 'posicao', u.position, 'restante', u.restante,
      'quantidade', u.quantidade, 'expira_em', u.expira_em, 'plano', u.plano, 'reposicao', u.session_id is not null, 'de', u.de)
      order by u.de is not null, u.session_id is null, u.expires_at nulls last, u.position), '[]') from usable u) as lotes
  from students s where s.id = ${id}`.compile(db),
);

/** A balance is what is left of its lots, each of which says where it comes from and what it was used for. */
const balance: WhySource = {
  rows: balanceRow,
  explain: ([{ saldo, lotes }]: [BalanceRow], _events, { isOwn }: Asker, { id }: Thing) => ({
    student_id: id,
    pergunta: `Por que ${isOwn ? 'meu' : 'o'} saldo é ${saldo}?`,
    links: [
      {
        titulo: 'Saldo',
        texto:
          lotes.length === 0
            ? 'Nenhum crédito com validade.'
            : `${credits(saldo)}, em ${plural(lotes.length, 'lote', 'lotes')}.${wholeBalance(lotes, isOwn)}`,
        posicao: null,
      },
      ...lotes.map((each): WhyLink => ({
        titulo: nameOf(each),
        texto: `${each.restante} de ${credits(each.quantidade)}${until(each.expira_em)}${each.de === null ? '' : `, de ${each.de}`}.`,
        posicao: each.posicao,
        // What became of another student's is not told to this one.
        ...(!(isOwn && each.de !== null) && { of: lot(each.id) }),
      })),
    ],
    causes: [],
  }),
};

function wholeBalance(lots: BalanceRow['lotes'], isOwn: boolean): string {
  const [only, ...more] = lots;
  if (more.length > 0) {
    const isMixed = lots.some(({ de }) => de === null) && lots.some(({ de }) => de !== null);
    return isMixed
      ? ' Primeiro são usados os próprios; de cada um, o que vence antes.'
      : ' Primeiro é usado o que vence antes.';
  }
  // Another student's is not to be opened.
  return isOwn && only!.de !== null ? '' : ' Toque nele para ver de onde veio.';
}
const nameOf = ({ plano, reposicao }: { plano: string | null; reposicao: boolean }) =>
  plano ?? (reposicao ? 'Reposição' : 'Crédito avulso');

interface LotRow {
  student_id: string;
  quantidade: number;
  restante: number;
  expira_em: string | null;
  posicao: number;
  plano: string | null;
  origem: string | null;
  session_id: string | null;
  reposicao: boolean;
  tipo: StatementLine['tipo'];
  causa: string;
  motivo: string | null;
  sem_pagamento: boolean;
  dispensada: boolean;
  charge_id: string | null;
  usos: {
    posicao: number;
    tipo: StatementLine['tipo'];
    quantidade: number;
    session_id: string | null;
    inicio: string | null;
  }[];
}

/** A lot comes from the charge that granted it, or that pays for its renewal: both are read from tables of `charges`. */
const lotRow = statement((db, { id }: Blanks<Asked>) =>
  sql<LotRow>`
  select b.student_id, b.quantidade, b.restante, b.expira_em, b.position as posicao, p.nome as plano, b.origem, b.session_id,
    b.session_id is not null as reposicao, e.tipo, e.causa, n.motivo,
    g.lot_id is not null as sem_pagamento, coalesce(g.dispensada, false) as dispensada,
    coalesce(g.charge_id, (select c.id from charges c where c.tenant_id = b.tenant_id and c.lot_id = b.lot_id)) as charge_id,
    (select coalesce(json_agg(json_build_object('posicao', u.position, 'tipo', u.tipo, 'quantidade', u.quantidade,
      'session_id', u.session_id, 'inicio', s.inicio) order by u.position desc), '[]')
     from (select * from credit_entries u where u.student_id = b.student_id and u.lot_id = b.lot_id and u.position <> b.position
       order by u.position desc limit 100) u
     left join sessions s on s.tenant_id = u.tenant_id and s.id = u.session_id) as usos
  from credit_lot_balances b
  left join plans p on p.tenant_id = b.tenant_id and p.id = b.plano_id
  left join plan_grants g on g.tenant_id = b.tenant_id and g.lot_id = b.lot_id
  left join lateral (select * from credit_entries e where e.position = b.position and e.lot_id = b.lot_id) e on true
  left join credit_notes n on n.tenant_id = b.tenant_id and n.id = e.entry_id
  where b.lot_id = ${id}`.compile(db),
);

const lotSource: WhySource = {
  rows: lotRow,
  explain([row]: [LotRow], _events: readonly PastEvent[], asker: Asker, _thing: Thing, isFirst: boolean) {
    const { student_id, posicao, charge_id, origem, session_id, usos } = row;
    return {
      student_id,
      pergunta: 'De onde vem e para onde foi este crédito?',
      links: [
        ...(isFirst
          ? usos.map((use): WhyLink => ({
              titulo: lineKinds[use.tipo],
              texto: `${whenUsed(use.inicio, asker)}${signed(use.quantidade)}.`,
              posicao: use.posicao,
              of:
                use.session_id === null
                  ? { kind: 'credit', id: String(use.posicao) }
                  : { kind: 'session', id: use.session_id },
            }))
          : []),
        { titulo: 'Lote', texto: `${originOf(row, asker.isOwn)} ${leftOf(row)}`, posicao },
      ],
      causes: [
        ...(charge_id === null ? [] : [{ kind: 'charge', id: charge_id }]),
        ...(session_id === null ? [] : [{ kind: 'session', id: session_id }]),
        ...(origem === null ? [] : [lot(origem)]),
      ],
    };
  },
};

const whenUsed = (inicio: string | null, { isOwn, timezone }: Asker) =>
  inicio === null ? '' : `${isOwn ? 'Aula' : 'Sessão'} de ${weekdayAndTime(inicio, timezone)}: `;

const signed = (quantity: number) => (quantity > 0 ? `+${credits(quantity)}` : `\u2212${credits(-quantity)}`);

const leftOf = ({ restante }: LotRow) =>
  restante === 0 ? 'Não resta nenhum.' : `${restante === 1 ? 'Resta' : 'Restam'} ${restante}.`;

/** Without the trainer's notes for the student. */
function originOf(row: LotRow, isOwn: boolean): string {
  const { quantidade, expira_em, plano, motivo, tipo, causa, sem_pagamento, dispensada, charge_id } = row;
  const what = `${signed(quantidade)}${until(expira_em)}`;
  if (row.reposicao) return `1 crédito virou reposição${until(expira_em)}.`;
  if (causa === 'importacao') return `Saldo de antes do Rende: ${what}.`;
  if (tipo === 'transferencia') return `Veio de outro aluno: ${what}.`;
  if (tipo === 'ajuste') return `Ajuste de saldo: ${what}${motivo && !isOwn ? ` (${motivo})` : ''}.`;
  const unpaid =
    !sem_pagamento || charge_id !== null
      ? ''
      : dispensada
        ? ' Sem pagamento a receber.'
        : ' Ainda sem pagamento.';
  return `${plano ? `Plano ${plano}` : 'Plano'}: ${what}.${unpaid}`;
}

interface CreditRow {
  student_id: string;
  tipo: StatementLine['tipo'];
  causa: string;
  quantidade: number;
  session_id: string | null;
  motivo: string | null;
  lotes: string[];
}

const creditRow = statement((db, { id }: Blanks<Asked>) =>
  sql<CreditRow>`
  select e.student_id, e.tipo, e.causa, e.session_id, n.motivo, sum(e.quantidade)::int as quantidade,
    array_agg(e.lot_id order by e.quantidade, e.lot_id) as lotes
  from credit_entries e left join credit_notes n on n.tenant_id = e.tenant_id and n.id = e.entry_id
  where e.position = ${id}::bigint
  group by e.student_id, e.tipo, e.causa, e.session_id, n.motivo`.compile(db),
);

/** A line of a statement: what it did, and the session or the lots behind it. */
const credit: WhySource = {
  rows: creditRow,
  explain([row]: [CreditRow], _events, { isOwn }: Asker, { id }: Thing) {
    const { student_id, tipo, quantidade, session_id, motivo, lotes } = row;
    const amount = quantidade === 0 ? '1 crédito mudou de lote' : signed(quantidade);
    return {
      student_id,
      pergunta: `Por que ${lineKinds[tipo].toLowerCase()}?`,
      links: [
        {
          titulo: lineKinds[tipo],
          texto: `${amount}${motivo && !isOwn ? `: ${motivo}` : ''}.`,
          posicao: Number(id),
        },
      ],
      causes: [...(session_id === null ? [] : [{ kind: 'session', id: session_id }]), ...lotes.map(lot)],
    };
  },
};

export const creditsWhy = { balance, lot: lotSource, credit };
