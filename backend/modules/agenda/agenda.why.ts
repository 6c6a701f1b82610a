import { sql } from 'kysely';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, PastEvent, Thing, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { dateOf } from '../../platform/local-time.js';
import { plural } from '../../platform/plural.api.js';
import { brl, dayAndTime } from '../../platform/portuguese.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { termsInWords } from '../policies/cancellation-policy.js';
import type { Agreed } from '../services/service.js';
import type { BookingTerms, SessionEvent } from '../sessions/session.js';
import type { CancellationReason, SessionStatus } from '../sessions/sessions.api.js';
import { bookedTerms, usesCredit } from './cancellation.js';
import { costInWords, noticeInWords } from './cancellation.api.js';
import { everAccountsOf } from '../students/credit-accounts.queries.js';

interface Row {
  id: string;
  student_id: string;
  inicio: Date;
  status: SessionStatus;
  credito: string;
  taxa: number;
  servico: Agreed | null;
  servico_nome: string | null;
  porta: BookingTerms | null;
  local: string | null;
  regra: PolicyTerms | null;
  /** When the rule of the location was set, by positions. */
  regras: number[];
  /** The lots that its credits are of, and the make-up that it became. */
  lotes: string[];
  cobrancas: string[];
}

const row = statement((db, { id }: Blanks<Asked>) =>
  sql<Row>`
  select s.id, s.student_id, s.inicio, s.status, s.credito, s.taxa, s.servico, v.nome as servico_nome,
    s.porta, l.nome as local,
    case when p.id is not null then json_build_object('cancel_limite_horas', p.cancel_limite_horas,
      'taxa_percent', p.taxa_percent, 'queima_credito', p.queima_credito) end as regra,
    (select coalesce(json_agg(made.position order by made.position desc), '[]') from (
      select h.position from history h
      where h.subject = 'policy:' || s.location_id and h.type = 'CancellationPolicySet'
      order by h.position desc limit 100) made) as regras,
    array(select e.lot_id from credit_entries e
      where e.student_id = any(${everAccountsOf(sql`s.student_id`)}) and e.session_id = s.id and e.tipo in ('consumo', 'devolucao')
      group by e.lot_id having sum(e.quantidade) < 0
      union all
      select b.lot_id from credit_lot_balances b
      where b.student_id = any(${everAccountsOf(sql`s.student_id`)}) and b.session_id = s.id and b.mes is not null) as lotes,
    array(select c.id from charges c where c.session_id = s.id and c.status <> 'cancelada'
      order by c.emitida_em) as cobrancas
  from sessions s
  left join locations l on l.tenant_id = s.tenant_id and l.id = s.location_id
  left join services v on v.tenant_id = s.tenant_id and v.id = (s.servico ->> 'service_id')::uuid
  left join policies p on p.tenant_id = s.tenant_id and p.id = s.location_id
  where s.id = ${id}`.compile(db),
);

export const sessionWhy: WhySource = { rows: row, explain };

type Past = PastEvent & SessionEvent;

function explain([session]: [Row], events: readonly PastEvent[], asker: Asker, thing: Thing) {
  const { student_id, status, inicio } = session;
  const all = events as Past[];
  // What happened while it was another student's is not told to this one.
  const given = asker.isOwn ? all.findLastIndex((event) => isGiven(event)) : -1;
  const past = all.slice(Math.max(given, 0));
  const settled = past.findLast(({ type }) => SETTLING.has(type));
  const cancelled =
    status === 'cancelada' ? past.findLast((event) => event.type === 'SessionCancelled') : undefined;
  const what = asker.isOwn ? 'Aula' : 'Sessão';
  const para = asker.isOwn ? undefined : `/agenda?dia=${dateOf(inicio, asker.timezone)}&sessao=${thing.id}`;
  const said = past.filter(({ type }) => type !== 'SessionCancelled' || status === 'cancelada');
  const links = said
    .filter((event) => BEGINNING.has(event.type) || [settled, cancelled, all[given]].includes(event))
    .toReversed()
    .flatMap((event): WhyLink[] => {
      const texto = inWords(event, asker, session);
      const link = { titulo: what, texto, posicao: event.posicao };
      return texto === '' ? [] : [{ ...link, ...(para && { para }) }];
    });
  const rule = ruleOf(session, cancelled, asker);
  const before = settled?.posicao ?? past.at(-1)?.posicao;
  const contract = {
    kind: 'contract',
    id: student_id,
    about: 'cancelamento' as const,
    ...(session.local !== null && { place: session.local }),
  };
  return {
    student_id,
    pergunta: questionOf(session, asker),
    links: [...links, ...rule],
    causes: [
      ...(status === 'feita' ? [] : [{ ...contract, ...(before !== undefined && { before }) }]),
      ...session.cobrancas.map((id) => ({ kind: 'charge', id })),
      ...session.lotes.map((id) => ({ kind: 'lot', id })),
    ],
  };
}

function questionOf({ taxa, credito, status }: Row, { isOwn }: Asker): string {
  const it = isOwn ? 'esta aula' : 'esta sessão';
  if (taxa > 0) return `Por que a taxa de ${brl(taxa)}?`;
  if (credito === 'usado') return `Por que ${it} descontou 1 crédito?`;
  if (credito === 'faltou') return `Por que ${it} é cobrada à parte?`;
  return status === 'cancelada' ? `Por que ${it} não cobrou nada?` : `Que regras valem para ${it}?`;
}

/** After one of these, a session costs something or nothing. */
const SETTLING = new Set<string>([
  'SessionCompleted',
  'SessionCancelled',
  'SessionReopened',
  'SessionDeleted',
  'SessionRestored',
] satisfies SessionEvent['type'][]);
const BEGINNING = new Set<string>(['SessionBooked', 'SessionRescheduled'] satisfies SessionEvent['type'][]);

/** It passes to another student; a merging of two records is of one person. */
const isGiven = ({ type, data }: Past) => type === 'SessionChanged' && data.antes.student_id !== undefined;

/** Nothing asks why of a rule: who set it is said with it. */
const RULE: Thing = { kind: 'policy', id: '' };

/** What was cancelled keeps the terms that were applied, a booking with a price those that it agreed to; for others, those of today hold. */
function ruleOf(session: Row, cancelled: Past | undefined, { isOwn }: Asker): WhyLink[] {
  const { status, regra, regras, local, porta } = session;
  if (status === 'feita')
    return [
      {
        titulo: 'Regra em vigor',
        texto:
          agreedPrice(session, isOwn) ??
          `Cada ${isOwn ? 'aula' : 'sessão'} feita desconta 1 crédito, do lote que vence primeiro.`,
        posicao: null,
        of: RULE,
      },
    ];
  const applied = cancelled?.type === 'SessionCancelled' ? cancelled.data.politica : null;
  const booked = bookedTerms(porta)?.terms;
  const terms = applied ?? booked ?? regra ?? defaultPolicy;
  const until = cancelled?.posicao ?? Number.MAX_SAFE_INTEGER;
  const posicao = booked ? null : (regras.find((position) => position < until) ?? null);
  return [
    {
      titulo: 'Regra em vigor',
      texto: `${booked ? 'Cancelamento, como combinado na reserva' : `Cancelamento${local ? ` em ${local}` : ''}`}: ${termsInWords(terms)}.`,
      posicao,
      of: RULE,
      ...(!isOwn && !booked && { para: '/ajustes/politicas' }),
    },
  ];
}

/** What a session costs by its booking; undefined where it takes a credit. */
function agreedPrice({ servico, servico_nome, porta }: Row, isOwn: boolean): string | undefined {
  if (porta?.charge_id) return `O preço foi combinado na reserva: ${brl(porta.preco)}.`;
  if (usesCredit({ servico })) return undefined;
  const name = servico_nome ?? (isOwn ? 'Esta aula' : 'Este serviço');
  const { valor } = servico!;
  return `${name} não desconta crédito${valor ? `: custa ${brl(valor)}, como combinado ao agendar` : ''}.`;
}

const cancelledBy: Record<CancellationReason, [trainers: string, own: string]> = {
  personal: ['Cancelada pelo personal', 'Cancelada pelo personal'],
  aluno_no_prazo: ['Cancelada pelo aluno, no prazo', 'Desmarcada por você, no prazo'],
  aluno_fora_do_prazo: ['Cancelada pelo aluno, fora do prazo', 'Desmarcada por você, fora do prazo'],
  falta: ['Falta do aluno', 'Registrada como falta'],
};

/** Without the trainer's notes for the student. */
function inWords(event: Past, { isOwn, timezone }: Asker, session: Row): string {
  const { local } = session;
  const { type, data, em } = event;
  switch (type) {
    case 'SessionBooked':
    case 'SessionChanged':
      return `Agendada para ${dayAndTime(data.inicio, timezone)}${local ? `, ${local}` : ''}.`;
    case 'SessionRescheduled':
      return `Remarcada de ${dayAndTime(data.inicio_antes, timezone)} para ${dayAndTime(data.inicio, timezone)}.`;
    case 'SessionCompleted':
      if (data.credito === 'usado') return 'Marcada como feita: descontou 1 crédito.';
      if (data.credito === 'nenhum') return 'Marcada como feita.';
      return `Marcada como feita${agreedPrice(session, isOwn) ? '' : ' sem crédito'}: fica para pagar à parte${data.valor === null ? '' : `, ${brl(data.valor)}`}.`;
    case 'SessionCancelled': {
      const { credito, taxa, valor, politica, motivo, justificativa, sem_minimo, inicio } = data;
      const cost = { usou_credito: credito === 'usado', sem_credito: credito === 'faltou', taxa };
      const does = costInWords(cost, false, isOwn ? 'ownDone' : 'done', brl);
      const forgiven = politica === null && (motivo === 'aluno_fora_do_prazo' || motivo === 'falta');
      const why = justificativa && !isOwn ? ` (${justificativa})` : '';
      const share =
        taxa > 0 && politica && valor !== null
          ? ` A taxa é ${politica.taxa_percent}% do valor ${isOwn ? 'da aula' : 'da sessão'}, ${brl(valor)}.`
          : '';
      const by =
        sem_minimo === undefined
          ? cancelledBy[motivo][isOwn ? 1 : 0]
          : `Cancelada porque a turma não chegou ao mínimo de ${plural(sem_minimo, 'aluno', 'alunos')}`;
      return `${by}${motivo.startsWith('aluno') ? `, ${noticeInWords(inicio, em)}` : ''}: ${does}.${forgiven ? ` Perdoada desta vez${why}.` : ''}${share}`;
    }
    case 'SessionReopened':
      return data.credito_devolvido ? 'Reaberta: o crédito voltou.' : 'Reaberta.';
    case 'SessionDeleted':
      return data.credito_devolvido ? 'Excluída: o crédito voltou.' : 'Excluída.';
    case 'SessionRestored':
      return data.credito === 'usado' ? 'Exclusão desfeita: descontou 1 crédito.' : 'Exclusão desfeita.';
    case 'SessionGrouped':
    case 'SessionReassigned':
      return '';
  }
}
