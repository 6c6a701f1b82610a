import { type InferResult, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { changedFields } from '../../platform/event-store/aggregate.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import { Problem } from '../../platform/http/problem.js';
import { brl } from '../../platform/portuguese.js';
import type { CreditState } from '../credits/credit-account.js';
import type { Agreed } from '../services/service.js';
import type { MakeUpRules } from '../credits/make-up.api.js';
import { accountInTurn, makeUpFor } from '../credits/make-up.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import type { CancellationQuery, CancellationPreview } from './agenda.api.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import { details } from './agenda.queries.js';
import type { OwnCancellation } from './own-cancellation.api.js';
import { costInWords, lessThanHours } from './cancellation.api.js';
import { announce, bookedTerms, givesMakeUp, planInTurn, sessionValue } from './cancellation.js';
import type { BookingTerms } from '../sessions/session.js';
import { termsOfSession } from './session-terms.loads.js';
import { accountsOf, everAccountsOf } from '../students/credit-accounts.queries.js';

export const PreviewCancellation = defineQuery(
  'PreviewCancellation',
  async ({ context, now, read }, id: string, { motivo }: CancellationQuery): Promise<CancellationPreview> => {
    const [row] = await read(withTerms({ id, now }));
    if (!row) throw new Problem('agenda.session_not_found');
    const preview = previewOf(row, motivo, context, now);
    const former =
      motivo !== 'personal' && wasChanged(row) ? ' Vale a política de quando a sessão foi agendada.' : '';
    return { ...preview, texto: preview.texto + former };
  },
);

/**
 * The cost for a student who cancels now: nothing within the notice; later it is a request that the trainer may accept.
 */
export const PreviewOwnCancellation = defineQuery(
  'PreviewOwnCancellation',
  async ({ context, now, read }, id: string): Promise<OwnCancellation> => {
    const [row] = await read(withTerms({ id, now }));
    if (!row || row.student_id !== context.studentId) throw new Problem('agenda.session_not_found');
    const { motivo_confere: sozinho, limite_horas, texto } = previewOf(row, 'aluno_no_prazo', context, now);
    const former = wasChanged(row) ? ' Vale a política de quando a aula foi agendada.' : '';
    return { sozinho, limite_horas, texto: (sozinho ? texto : ownWords(row, context, now)) + former };
  },
);

/** The cost after the notice has passed, in words for the student. */
function ownWords(row: Row, context: RequestContext, at: Date): string {
  const { limite_horas, previsto, tem_custo } = previewOf(row, 'aluno_fora_do_prazo', context, at);
  const does = costInWords(previsto, row.credito === 'usado', 'own', brl);
  const { taxa_percent } = termsOf(row);
  const isUnknown = tem_custo && taxa_percent > 0 && previsto.taxa === 0;
  const fee = isUnknown ? ` A taxa é de ${taxa_percent}% do valor da aula, que seu personal informa.` : '';
  return `${lessThanHours(limite_horas)}: este cancelamento ${does}.${fee}`;
}

/**
 * A session with all that determines the cost of its cancellation. `contas`: in their order of use, with the plans of whose they are.
 * `tem_credito`: a credit is usable, or would be once this session's is returned.
 */
const withTerms = statement((db, { id, now }: Blanks<{ id: string; now: Date }>) =>
  details(db)
    .leftJoinLateral(termsOfSession, (join) => join.onTrue())
    .select(['s.porta', 's.servico as acordado'])
    .select(['c.cancel_limite_horas', 'c.taxa_percent', 'c.queima_credito'])
    .leftJoin('policies as n', (join) =>
      join.onRef('n.tenant_id', '=', 's.tenant_id').onRef('n.id', '=', 's.location_id'),
    )
    .select([
      'n.cancel_limite_horas as agora_horas',
      'n.taxa_percent as agora_taxa',
      'n.queima_credito as agora_queima',
    ])
    .select(
      sql<MakeUpRules | null>`(select json_build_object('ativo', ativo, 'teto_percent', teto_percent,
        'prazo_meses', prazo_meses) from make_up_rules)`.as('reposicao'),
    )
    .select(
      sql<Account[]>`(select json_agg(json_build_object(
        'plano', (select json_build_object('valor', p.valor, 'creditos', p.creditos) from students w
          join plans p on p.tenant_id = w.tenant_id and p.id = w.plano_id where w.id = a.id),
        'tem_credito', exists (
          select from credit_lot_balances b where b.student_id = a.id
            and (b.expires_at is null or b.expires_at > ${now}::timestamptz)
            and (b.restante > 0 or s.credito = 'usado' and b.lot_id = (
              select e.lot_id from credit_entries e
              where e.session_id = s.id and e.student_id = any(${everAccountsOf(sql`s.student_id`)}) order by e.position desc limit 1))),
        'credits', json_build_object('lots',
        coalesce((select json_agg(json_build_object('lot_id', b.lot_id, 'remaining', b.restante,
          'expira_em', b.expira_em, 'expires_at', b.expires_at, 'sessions', '[]'::json,
          'reposicao', case when b.mes is not null
            then json_build_object('session_id', b.session_id, 'origem', b.origem, 'mes', b.mes) end) order by b.position)
        from credit_lot_balances b
        where b.student_id = a.id and (b.restante > 0 or b.mes is not null)
          and (b.expires_at is null or b.expires_at > ${now}::timestamptz)), '[]'))) order by a.n)
        from unnest(${accountsOf(sql`s.student_id`)}) with ordinality as a (id, n))`.as('contas'),
    )
    .where('s.id', '=', id)
    .compile(),
);

interface Account {
  plano: { valor: number; creditos: number } | null;
  tem_credito: boolean;
  credits: CreditState;
}

type Row = InferResult<ReturnType<typeof withTerms>>[number];

/** The policy of the session's location at the time of the booking. */
const termsOf = ({
  cancel_limite_horas,
  taxa_percent,
  queima_credito,
}: Pick<Row, 'cancel_limite_horas' | 'taxa_percent' | 'queima_credito'>) =>
  cancel_limite_horas === null || taxa_percent === null || queima_credito === null
    ? defaultPolicy
    : { cancel_limite_horas, taxa_percent, queima_credito };

/** Whether the policy of the session's location has changed since the booking. */
function wasChanged(row: Row): boolean {
  if (bookedTerms(row.porta as BookingTerms | null)) return false;
  const now = termsOf({
    cancel_limite_horas: row.agora_horas,
    taxa_percent: row.agora_taxa,
    queima_credito: row.agora_queima,
  });
  return Object.keys(changedFields<PolicyTerms>(termsOf(row), now)).length > 0;
}

/** The cost of cancelling at that instant, with its texts. */
function previewOf(
  row: Row,
  motivo: CancellationReason,
  { timezone }: RequestContext,
  at: Date,
): CancellationPreview {
  const booked = bookedTerms(row.porta as BookingTerms | null, motivo);
  const terms = booked?.terms ?? termsOf(row);
  const session = {
    session_id: row.id,
    inicio: row.inicio.toISOString(),
    confirmado: row.confirmado,
    usou_credito: row.credito === 'usado',
    servico: row.acordado as Agreed | null,
  };
  const { reposicao: rules, contas } = row;
  const plans = contas.map(({ plano }) => plano);
  const turn = contas.findIndex(({ tem_credito }) => tem_credito);
  const giving = givesMakeUp(row, motivo) ? accountInTurn(contas, session, at) : undefined;
  const creditos_do_plano = (giving && planInTurn(plans, contas.indexOf(giving))?.creditos) ?? 0;
  const makeUp =
    rules && giving ? makeUpFor(giving.credits, session, { rules, creditos_do_plano, timezone }, at) : null;
  const valor = booked?.preco ?? sessionValue(planInTurn(plans, turn));
  const known = { valor, hasCredit: turn >= 0, at, makeUp };
  return { motivo, limite_horas: terms.cancel_limite_horas, ...announce(session, motivo, terms, known) };
}
