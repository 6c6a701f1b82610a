import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { mailsOf, mailWithheld } from '../../platform/mail/mail-limits.js';
import { charge } from '../charges/charge.js';
import { chargePaidBy } from '../finance/finance.commands.js';
import { refuseToCome, transaction } from '../finance/transaction.js';
import { student } from '../students/student.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { decideIssue, decideSend, receipt } from './receipt.js';
import { decideSetIssuer, receiptIssuerStream } from './receipt-issuer.js';
import type { ReceiptSending, NewReceipt, ReceiptIssuer } from './receipts.api.js';

/** The next number; the tenant's lock keeps numbers unique and without gaps. */
const nextNumber = defineLookUp<{ numero: number }, []>(
  'select coalesce(max(numero), 0) + 1 as numero from receipt_numbers where tenant_id = $1',
);

export const IssueReceipt = defineCommand(
  'IssueReceipt',
  { links: ReceiptLinks },
  async (tx, { links }, id: string, wanted: NewReceipt) => {
    const hashes = links.hashesOf(id);
    const [issued, entry, issuer] = await Promise.all([
      tx.load(receipt, id),
      tx.load(transaction, id),
      tx.load(receiptIssuerStream, tx.context.tenantId),
    ]);
    const charge_id = await chargePaidBy(tx, id);
    const paidCharge = charge_id === null ? undefined : await tx.load(charge, charge_id);
    const student_id = entry?.student_id ?? paidCharge?.student_id ?? null;
    const [next] = await tx.lookUp(nextNumber);
    const { nome, documento, cref, cidade } = issuer ?? NOBODY;
    const prestador = { nome, documento, cref, cidade };
    const numero = next!.numero;
    const events = decideIssue(issued, entry, { student_id, numero, prestador, ...wanted, ...hashes });
    refuseToCome(entry!, dateOf(tx.now, tx.context.timezone));
    if (issuer?.nome == null) throw new Problem('receipts.issuer_missing');
    tx.append(receipt, id, events);
    return { id, numero };
  },
);

const NOBODY = { nome: null, documento: null, cref: null, cidade: null };

/** Records that the receipt was sent; a reaction sends the mail. `addressOf`: the stored form of an address. */
export const SendReceipt = defineCommand(
  'SendReceipt',
  { addresses: MailAddresses },
  async (tx, { addresses }, id: string, { canal }: ReceiptSending) => {
    const state = await tx.load(receipt, id);
    const events = decideSend(state, canal);
    if (canal === 'email') {
      const payer = state!.student_id === null ? undefined : await tx.load(student, state!.student_id);
      if (!payer || payer.status === 'unknown' || payer.email === null)
        throw new Problem('receipts.no_address');
      const about = { personId: state!.student_id!, addressHash: addresses.hashOf(payer.email) };
      const why = await mailsOf(tx)({ ...about, cause: 'trainer', thing: `receipt/${id}` });
      if (why !== null) throw mailWithheld(why);
    }
    tx.append(receipt, id, events);
    return { id };
  },
);

export const SetReceiptIssuer = defineCommand('SetReceiptIssuer', async (tx, issuer: ReceiptIssuer) => {
  const { tenantId } = tx.context;
  const wanted = { receipt_issuer_id: tenantId, ...issuer };
  tx.append(
    receiptIssuerStream,
    tenantId,
    decideSetIssuer(await tx.load(receiptIssuerStream, tenantId), wanted),
  );
  return { id: tenantId };
});
