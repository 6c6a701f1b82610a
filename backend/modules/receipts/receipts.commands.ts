import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { mailsOf, mailWithheld } from '../../platform/mail/mail-limits.js';
import { storedEvents } from '../../platform/event-store/stored-events.js';
import { type BillPaid, billPayment } from '../charges/bill-payment.js';
import { partsInWords } from '../charges/charge-terms.js';
import { charge } from '../charges/charge.js';
import { chargePaidBy } from '../finance/finance.commands.js';
import { refuseToCome, transaction } from '../finance/transaction.js';
import { existingPayer, payer } from '../payers/payer.js';
import { student } from '../students/student.js';
import { ReceiptLinks } from './receipt-links.service.js';
import { decideIssue, decideSend, receipt, type ReceiptPart } from './receipt.js';
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
    const [entry, issuer] = await Promise.all([
      tx.load(transaction, id),
      tx.load(receiptIssuerStream, tx.context.tenantId),
    ]);
    const charge_id = await chargePaidBy(tx, id);
    const paidCharge = charge_id === null ? undefined : await tx.load(charge, charge_id);
    const bill = await paidAtOnce(tx, id);
    const receiptId = bill?.bill_id ?? id;
    const issued = await tx.load(receipt, receiptId);
    const student_id = bill ? null : (entry?.student_id ?? paidCharge?.student_id ?? null);
    if (wanted.payer_id !== null) existingPayer(await tx.load(payer, wanted.payer_id));
    const [next] = await tx.lookUp(nextNumber);
    const { nome, documento, cref, cidade } = issuer ?? NOBODY;
    const prestador = { nome, documento, cref, cidade };
    const numero = next!.numero;
    const partes = bill ? await partsOf(tx, bill) : [];
    const events = decideIssue(
      issued,
      entry,
      { student_id, numero, prestador, partes, ...wanted, ...links.hashesOf(receiptId) },
      bill && { id: receiptId, valor: partes.reduce((sum, { valor }) => sum + valor, 0) },
    );
    refuseToCome(entry!, dateOf(tx.now, tx.context.timezone));
    if (issuer?.nome == null) throw new Problem('receipts.issuer_missing');
    tx.append(receipt, receiptId, events);
    return { id: receiptId, numero };
  },
);

const billOf = defineLookUp<{ bill_id: string }, [transactionId: string]>(
  `select data->>'bill_id' as bill_id from ${storedEvents({ BillPaid: [1] })} e
   where tenant_id = $1 and data->'partes' @> jsonb_build_array(jsonb_build_object('transaction_id', $2::text))`,
);

/**
 * The payment of several charges that a receita is part of, which has one receipt. Once a part of it was reversed, or got a receipt
 * before this was so, each receita has its own.
 */
async function paidAtOnce(tx: CommandTransaction, transactionId: string): Promise<BillPaid | undefined> {
  const [found] = await tx.lookUp(billOf, transactionId);
  const bill = found && (await tx.load(billPayment, found.bill_id));
  if (!bill || bill.partes.length === 1) return undefined;
  const stands = await Promise.all(
    bill.partes.map(async ({ transaction_id }) => {
      const [entry, own] = await Promise.all([
        tx.load(transaction, transaction_id),
        tx.load(receipt, transaction_id),
      ]);
      return entry?.estorno_id === null && own === null;
    }),
  );
  return stands.every(Boolean) ? bill : undefined;
}

const partsOf = (tx: CommandTransaction, { partes }: BillPaid): Promise<ReceiptPart[]> =>
  Promise.all(
    partes.map(async ({ charge_id, student_id, payment_id, transaction_id, valor }) => {
      const [who, paid, entry] = await Promise.all([
        tx.load(student, student_id),
        tx.load(charge, charge_id),
        tx.load(transaction, transaction_id),
      ]);
      const payment = paid?.pagamentos.find((one) => one.payment_id === payment_id);
      const words = paid?.descricao ?? entry?.descricao ?? 'Cobrança';
      return {
        transaction_id,
        student_id,
        valor,
        aluno: 'nome' in who ? who.nome : null,
        descricao: `${words}${payment ? partsInWords(payment) : ''}`,
      };
    }),
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
      const personId = state!.payer_id ?? state!.student_id;
      const email = personId === null ? null : await addressOf(tx, personId);
      if (personId === null || email === null) throw new Problem('receipts.no_address');
      const about = { personId, addressHash: addresses.hashOf(email) };
      const why = await mailsOf(tx)({ ...about, cause: 'trainer', thing: `receipt/${id}` });
      if (why !== null) throw mailWithheld(why);
    }
    tx.append(receipt, id, events);
    return { id };
  },
);

/** Of a payer or a student. */
async function addressOf(tx: CommandTransaction, personId: string): Promise<string | null> {
  const [pays, who] = await Promise.all([tx.load(payer, personId), tx.load(student, personId)]);
  return pays?.email ?? (who.status === 'unknown' ? null : who.email);
}

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
