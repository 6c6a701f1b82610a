import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { dateOf } from '../../platform/local-time.js';
import { shortDate } from '../../platform/portuguese.js';
import { decideReverse, transaction, type TransactionState } from '../finance/transaction.js';
import { existingSession, isOwed, type KnownSession, session } from '../sessions/session.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { arrivedPix, decided } from './arrived-pix.js';
import {
  type BoughtCredits,
  charge,
  type ChargeLink,
  decideCancel,
  decideChange,
  decideClaim,
  decidePromise,
  decideReplaceLink,
  decideRestore,
  decideReturn,
  existingCharge,
  type KnownCharge,
} from './charge.js';
import { issue } from './charge-terms.commands.js';
import {
  type ChargeChanges,
  type ChargeOrigin,
  type ChargesToCancel,
  DAYS_TO_PAY,
  type NewCharge,
  type Promised,
  type ReturnChange,
  type SessionCharges,
} from './charges.api.js';
import { boughtBy, loadGrant } from './plan-grants.loads.js';
import { pixAccountStream, decideRemove, decideSet } from './pix-account.js';
import type { PixAccountChange, PixAccountRemoval } from './pix.api.js';
import { serviceName } from '../services/services.loads.js';
import { chargeOfSession } from './session-charge.commands.js';

/** A link to the payment page of a charge. Only the hash of its token is stored, by which it is found. */
export function freshLink(tokens: LinkTokens): ChargeLink {
  const link_id = randomUUID();
  return { link_id, token_hash: tokens.storedHashOf('payment', link_id) };
}

export const IssueCharge = defineCommand(
  'IssueCharge',
  { tokens: LinkTokens },
  async (tx, { tokens }, wanted: NewCharge) => {
    const link = freshLink(tokens);
    const {
      student_id,
      plano_id = null,
      session_id = null,
      creditos_ja_concedidos = false,
      ...terms
    } = wanted;
    activeStudent(await tx.load(student, student_id));
    const charge_id = randomUUID();
    const owed = session_id === null ? undefined : await loadOwed(tx, session_id, student_id);
    const origem = owed ? originOf(owed) : plano_id === null ? 'avulsa' : 'plano';
    const bought = plano_id === null ? nothing : await boughtBy(tx, student_id, plano_id);
    const about = { charge_id, student_id, origem, plano_id, session_id, mes: null };
    await issue(tx, {
      ...about,
      ...terms,
      ...link,
      ...(creditos_ja_concedidos ? { ...bought, ...nothing } : bought),
    });
    return { id: charge_id };
  },
);

const nothing: BoughtCredits = { creditos: 0, validade_dias: null };

/**
 * Issues the charge of each session, all or none: each follows its own session later, so it cannot be one for all. `total` is what was
 * shown, so that nothing else is charged.
 */
export const ChargeSessions = defineCommand(
  'ChargeSessions',
  { tokens: LinkTokens },
  async (tx, { tokens }, { student_id, session_ids, total }: SessionCharges) => {
    const { timezone } = tx.context;
    activeStudent(await tx.load(student, student_id));
    const vencimento = dateOf(addDays(tx.now, DAYS_TO_PAY), timezone);
    const ids: string[] = [];
    let sum = 0;
    const sessions = await Promise.all(
      session_ids.map(async (session_id) => {
        const owed = await loadOwed(tx, session_id, student_id, NONE_CHARGED);
        return { owed, servico: await serviceName(tx, owed.servico) };
      }),
    );
    for (const { owed, servico } of sessions) {
      const { session_id } = owed;
      const [charge_id, origem] = [randomUUID(), originOf(owed)];
      const valor = valueOf(owed);
      const what = origem === 'sessao' ? (servico ?? 'Sessão') : 'Taxa de cancelamento';
      const descricao = `${what} de ${shortDate(dateOf(new Date(owed.inicio), timezone))}`;
      const about = { charge_id, student_id, origem, plano_id: null, session_id, mes: null };
      const terms = { descricao, valor, vencimento, ...nothing };
      await issue(tx, { ...about, ...terms, ...freshLink(tokens) });
      ids.push(charge_id);
      sum += valor;
    }
    if (sum !== total) throw new Problem('charges.total_changed');
    return { ids };
  },
);

const NONE_CHARGED = 'Uma destas sessões já foi cobrada. Nada foi cobrado agora.';

/** A session that is to be charged. @throws Problem 409 if nothing is owed for it, or it was charged before (`charged` says so) */
async function loadOwed(
  tx: CommandTransaction,
  session_id: string,
  student_id: string,
  charged?: string,
): Promise<KnownSession> {
  const state = existingSession(await tx.load(session, session_id));
  if (state.student_id !== student_id) throw new Problem('agenda.session_not_found');
  if (!isOwed(state)) throw new Problem('charges.nothing_to_charge');
  await refuseCharged(tx, session_id, charged);
  return state;
}

const originOf = ({ credito }: KnownSession): ChargeOrigin => (credito === 'faltou' ? 'sessao' : 'taxa');

/** What is owed for a session, in cents. */
function valueOf({ credito, valor, taxa }: KnownSession): number {
  if (credito !== 'faltou') return taxa;
  if (valor === null) throw new Problem('charges.value_unknown');
  return valor + taxa;
}

async function refuseCharged(
  tx: CommandTransaction,
  session_id: string | null,
  detail?: string,
): Promise<void> {
  if (session_id === null || (await chargeOfSession(tx, session_id)) === undefined) return;
  throw new Problem('charges.session_charged', detail ? { detail } : {});
}

export const ChangeCharge = defineCommand('ChangeCharge', async (tx, id: string, changes: ChargeChanges) => {
  const state = await loadCharge(tx, id);
  existingStudent(await tx.load(student, state.student_id));
  tx.append(charge, id, decideChange(state, changes));
  return { id };
});

export const CancelCharge = defineCommand('CancelCharge', async (tx, id: string) => {
  tx.append(charge, id, decideCancel(await loadCharge(tx, id)));
  return { id };
});

export const CancelCharges = defineCommand('CancelCharges', async (tx, { ids }: ChargesToCancel) => {
  const states = await Promise.all(ids.map((id) => loadCharge(tx, id)));
  ids.forEach((id, at) => tx.append(charge, id, decideCancel(states[at]!)));
  return { ids };
});

/** Undoes a cancellation, unless it is the charge of a session that its student does not owe any more. */
export const RestoreCharge = defineCommand('RestoreCharge', async (tx, id: string) => {
  const state = await loadCharge(tx, id);
  const events = decideRestore(state);
  if (state.session_id !== null) {
    const its = await tx.load(session, state.session_id);
    if (!isOwed(its) || its?.student_id !== state.student_id) throw new Problem('charges.nothing_to_charge');
  }
  if (events.length > 0) await refuseCharged(tx, state.session_id);
  if (events.length > 0 && state.grant_id !== null) {
    const grant = await loadGrant(tx, state.student_id, state.grant_id);
    if (!grant || grant.charge_id !== null || grant.dispensada) throw new Problem('charges.grant_settled');
  }
  tx.append(charge, id, events);
  return { id };
});

/** Replaces the payment link; links that were sent before become invalid. */
export const ReplaceChargeLink = defineCommand(
  'ReplaceChargeLink',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string) => {
    tx.append(charge, id, decideReplaceLink(await loadCharge(tx, id), freshLink(tokens)));
    return { id };
  },
);

export const PromisePayment = defineCommand('PromisePayment', async (tx, id: string, promised: Promised) => {
  tx.append(charge, id, decidePromise(await loadCharge(tx, id), promised));
  return { id };
});

/** The trainer keeps what was to be given back, or takes that back. */
export const KeepPaid = defineCommand('KeepPaid', async (tx, id: string, change: ReturnChange) => {
  tx.append(charge, id, decideReturn(await loadCharge(tx, id), change));
  return { id };
});

/** "Já paguei" by somebody with the link. */
export const ClaimPayment = defineCommand('ClaimPayment', async (tx, id: string) => {
  tx.append(charge, id, decideClaim(await loadCharge(tx, id)));
  return { ok: true };
});

/** "Já paguei" by the signed-in student. */
export const ClaimOwnPayment = defineCommand('ClaimOwnPayment', async (tx, id: string) => {
  const state = await loadCharge(tx, id);
  if (state.student_id !== tx.context.studentId) throw new Problem('charges.not_found');
  tx.append(charge, id, decideClaim(state));
  return { ok: true };
});

export const SetPixAccount = defineCommand('SetPixAccount', async (tx, wanted: PixAccountChange) => {
  const { tenantId } = tx.context;
  tx.append(
    pixAccountStream,
    tenantId,
    decideSet(await tx.load(pixAccountStream, tenantId), tenantId, wanted),
  );
  return { id: tenantId };
});

export const RemovePixAccount = defineCommand('RemovePixAccount', async (tx, wanted: PixAccountRemoval) => {
  const { tenantId } = tx.context;
  const state = await tx.load(pixAccountStream, tenantId);
  tx.append(pixAccountStream, tenantId, decideRemove(state, tenantId, wanted));
  return { id: tenantId };
});

export async function loadCharge(tx: CommandTransaction, id: string): Promise<KnownCharge> {
  return existingCharge(await tx.load(charge, id));
}

/** Undoes a decision: what it left as income is reversed, because a Pix that is to be decided counts nowhere. */
export const ReopenPix = defineCommand('ReopenPix', async (tx, id: string) => {
  const { transaction_id, decisao } = decided(await tx.load(arrivedPix, id));
  const entry = await lastOf(tx, decisao.transaction_id ?? transaction_id);
  const estorno_id = entry?.estorno_id === null ? randomUUID() : null;
  if (estorno_id !== null)
    tx.append(transaction, entry!.transaction_id, decideReverse(entry, estorno_id, 'Decisão desfeita'));
  const { valor, charge_id, student_id } = decisao;
  const about = { pix_id: id, valor, charge_id, student_id };
  tx.append(arrivedPix, id, [{ type: 'PixReopened', data: { ...about, transaction_id: null, estorno_id } }]);
  return { id };
});

/** The entry, or the latest correction of it. */
async function lastOf(tx: CommandTransaction, id: string | null): Promise<TransactionState> {
  const entry = id === null ? undefined : await tx.load(transaction, id);
  return entry?.corrigida_por ? lastOf(tx, entry.corrigida_por) : entry;
}
