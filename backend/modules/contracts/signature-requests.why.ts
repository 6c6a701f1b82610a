import { type InferResult, sql } from 'kysely';
import { type Blanks, sameTenant, statement } from '../../platform/database/statement.js';
import type { Asked, Asker, WhyLink, WhySource } from '../../platform/event-store/why.js';
import { dateOf } from '../../platform/local-time.js';
import { shortDate } from '../../platform/portuguese.js';
import type { ContractEvent } from './contract.js';
import type { RequestState } from './contracts.api.js';
import type { SignatureRequestEvent } from './signature-request.js';
import { stateOf, status } from './signature-requests.queries.js';

type Past = { posicao: number } & (ContractEvent | SignatureRequestEvent);

const row = statement((db, { id }: Blanks<Asked>) =>
  db
    .selectFrom('signature_requests as r')
    .innerJoin('contracts as c', (join) => sameTenant(join, 'c.id', 'r.contract_id'))
    .leftJoin('students as s', (join) => sameTenant(join, 's.id', 'r.student_id'))
    .select(['r.student_id', 'r.versao', 'c.versao as atual', 'c.is_active', 'r.expires_at'])
    .select(['r.assinado_em', 'r.nascimento', 'r.responsavel', 's.nascimento as recorded'])
    .select(status.as('status'))
    .select(
      // Of its contract, only what happened to it, and that it was deactivated.
      sql<
        Past[]
      >`(select json_agg(json_build_object('posicao', h.position, 'type', h.type, 'data', h.data) order by h.position desc)
        from history h where h.tenant_id = r.tenant_id and h.subject = 'contract:' || r.contract_id
          and (h.data ->> 'request_id' = r.id::text or h.type = 'ContractDeactivated'))`.as('past'),
    )
    .where('r.id', '=', id)
    .compile(),
);
type Row = InferResult<ReturnType<typeof row>>[number];

const questions: Readonly<Record<RequestState, string>> = {
  enviado: 'Por que este contrato espera assinatura?',
  aberto: 'Por que este contrato espera assinatura?',
  assinado: 'Por que este contrato está assinado?',
  sem_responsavel: 'Por que falta a assinatura do responsável?',
  recusado: 'Por que este contrato foi recusado?',
  expirado: 'Por que o prazo para assinar expirou?',
  cancelado: 'Por que este link foi cancelado?',
  substituido: 'Por que este link foi substituído?',
  inativo: 'Por que este contrato não pode mais ser assinado?',
  desistido: 'Por que esta assinatura deixou de valer?',
};

/** What a student was sent to sign, from its state back to its sending. The link of an area opens no contract. */
export const signatureWhy: WhySource = {
  rows: row,
  explain([request]: [Row], _events, asker: Asker) {
    if (asker.byLink) return undefined;
    const { student_id, past, is_active } = request;
    const estado = stateOf(request, asker);
    const texto = stateInWords(estado, request, asker);
    const links: WhyLink[] = [
      ...(texto === undefined ? [] : [{ titulo: 'Situação', texto, posicao: null }]),
      ...past.flatMap(({ posicao, ...event }): WhyLink[] => {
        const said = inWords(event, is_active, asker);
        return said === undefined ? [] : [{ titulo: 'Contrato', texto: said.replace(/\.?$/, '.'), posicao }];
      }),
    ];
    return { student_id, pergunta: questions[estado], links, causes: [] };
  },
};

/** What no event says, because it follows from the day, from a rule or from another version. */
function stateInWords(estado: RequestState, { versao, atual, expires_at }: Row, asker: Asker) {
  const day = shortDate(dateOf(expires_at, asker.timezone));
  switch (estado) {
    case 'enviado':
    case 'aberto':
      return `Falta assinar a versão ${versao}, até ${day}.`;
    case 'expirado':
      return `O prazo terminou em ${day} sem assinatura.`;
    case 'substituido':
      return 'Outro envio do mesmo contrato ficou no lugar deste.';
    case 'sem_responsavel':
      return 'Quem assinou tinha menos de 18 anos, e ninguém assinou como responsável.';
    case 'assinado':
      return atual > versao
        ? `Vale a versão ${versao}, que foi assinada; ${asker.isOwn ? 'o texto do personal' : 'o seu texto'} já está na versão ${atual}.`
        : undefined;
    default:
      return undefined;
  }
}

/** The reason of a refusal is the student's own. */
function inWords(
  { type, data }: ContractEvent | SignatureRequestEvent,
  isActive: boolean,
  { isOwn, timezone }: Asker,
): string | undefined {
  const by = (own: string, others: string) => (isOwn ? own : others);
  switch (type) {
    case 'ContractSent':
      return `Versão ${data.versao} enviada ${data.canal === 'email' ? 'por e-mail' : 'por link'}, para assinar até ${shortDate(dateOf(data.expires_at, timezone))}`;
    case 'ContractOpened':
      return by('Aberto por você', 'Aberto pelo aluno');
    case 'ContractCodeConfirmed':
      return 'Código enviado por e-mail confirmado';
    case 'ContractSigned':
      return `Versão ${data.versao} assinada ${data.meio === 'link' ? 'pelo link' : by('na sua conta', 'na conta do aluno')}${data.responsavel ? ', com o responsável' : ''}`;
    case 'ContractDeclined':
      return `${by('Recusado por você', 'Recusado pelo aluno')}${data.motivo ? `: ${data.motivo}` : ''}`;
    case 'ContractReminded':
      return data.automatico
        ? 'Lembrete enviado por e-mail'
        : by('Seu personal lembrou você', 'Aluno lembrado de assinar');
    case 'ContractRevoked':
      return 'Link cancelado';
    case 'ContractRestored':
      return 'Link reativado';
    case 'ContractWithdrawn':
      return `${by('Você desistiu', 'O aluno desistiu')} no prazo de 7 dias`;
    case 'ContractDeactivated':
      return isActive ? undefined : 'Inativado: não recebe mais assinaturas';
    // Codes, copies and downloads change nothing.
    default:
      return undefined;
  }
}
