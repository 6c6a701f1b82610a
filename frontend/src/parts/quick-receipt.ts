import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type {
  NewReceipt,
  ShownReceipt,
  ShownReceiptIssuer,
} from '../../../backend/modules/receipts/receipts.api.js';
import { formatDocument } from '../../../backend/modules/students/document.api.js';
import { useAnswer } from '../lib/answer.js';
import { read } from '../lib/calls.js';
import { chargeAddress, RECEIPT } from '../lib/charge-address.js';
import { useSendTo } from '../lib/command.js';
import { formatMoney } from '../lib/money.js';
import { reads } from '../lib/topics.js';
import { attempt, toast, type Tell } from '../ui/toast.js';

/** The receipt as it is suggested, if it leaves nothing to be asked: who issues it, who paid with which document, and what for. */
export function completeReceipt(
  { emitente }: Pick<ShownReceiptIssuer, 'emitente'>,
  suggested: ShownReceipt['sugestao'],
): NewReceipt | null {
  const { nome, cpf, descricao } = suggested;
  return emitente && nome && cpf && descricao ? suggested : null;
}

/** Payer and document, as they are in the receipt. */
export const payerIn = ({ nome, cpf }: { nome: string | null; cpf: string | null }): string =>
  [nome, cpf && formatDocument(cpf)].filter(Boolean).join(', ');

const RECEIPTS = reads('receipts', ['transactions', 'students']);

/** The receipt of a receita, or what is suggested for it. */
export const useReceipt = (transactionId: string | null) =>
  useQuery({
    queryKey: [RECEIPTS, transactionId],
    queryFn: ({ signal }) => read('GET /transactions/:id/receipt', { of: [transactionId!], signal }),
    enabled: transactionId !== null,
  });

/** What receipts and contracts say of the trainer. */
export const useReceiptIssuer = () => useAnswer([RECEIPTS, 'issuer'], 'GET /settings/receipts');

export const useIssueReceipt = () => useSendTo('POST /transactions/:id/receipt');

/** Sends a receipt by e-mail, or notes that it is sent on WhatsApp. */
export const useSendReceipt = () => useSendTo('POST /transactions/:id/receipt/send');

/** Offers the receipt of a charge that was just paid: issued with one tap and ready to be sent; what is missing is asked in its form. */
export function useQuickReceipt(chargeId: string): Tell {
  const navigate = useNavigate();
  const issue = useIssueReceipt();
  const send = useSendReceipt();
  const form = `${chargeAddress(chargeId)}&${RECEIPT}`;

  const issueAtOnce = async () => {
    const { pagamentos } = await read('GET /charges/:id', { of: [chargeId] });
    const id = pagamentos.findLast(({ estornado }) => !estornado)?.transaction_id;
    const [before, issuer] = await Promise.all([
      id && read('GET /transactions/:id/receipt', { of: [id] }),
      read('GET /settings/receipts'),
    ]);
    const known = before && !before.recibo && completeReceipt(issuer, before.sugestao);
    if (!id || !known) return navigate(form);
    const { numero } = await issue.mutateAsync({ id, ...known });
    const { recibo } = await read('GET /transactions/:id/receipt', { of: [id] });
    toast.success(`Recibo nº ${numero} emitido`, {
      description: [payerIn(known), recibo && formatMoney(recibo.valor)].filter(Boolean).join(' · '),
      tell: [
        recibo?.whatsapp
          ? {
              label: 'Enviar',
              href: recibo.whatsapp,
              onClick: () => send.mutate({ id: recibo.id, canal: 'whatsapp' }),
            }
          : { label: 'Ver recibo', href: chargeAddress(chargeId) },
      ],
    });
    return undefined;
  };

  return {
    label: 'Emitir recibo',
    href: form,
    onClick: (event) => {
      event.preventDefault();
      void attempt(issueAtOnce, 'Erro ao emitir o recibo');
    },
  };
}
