import type { Charge, NewPayment } from '../../../../backend/modules/charges/charges.api.js';
import { paymentMethod, type PaymentMethod } from '../../../../backend/modules/finance/finance.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatMoney } from '../../lib/money.js';
import { PIX_TOLD } from '../../lib/pix-told.js';
import { useToday } from '../../lib/zone.js';
import { attempt, orAnyway, takenBack, type Tell, toast } from '../../ui/toast.js';
import { usePayCharge, useReversePayment } from './charges.queries.js';

export const FAILURE = 'Erro ao registrar o pagamento';

/** The method of the last payment on this device, which is proposed. */
const LAST = 'rende.meio';
const lastMethod = (): PaymentMethod =>
  paymentMethod.options.find((method) => method === localStorage.getItem(LAST)) ?? 'pix';

/** Records payments of a charge, each with an undo. `receipt`: what leads to the receipt of a charge paid at once. */
export function useChargePayment(charge: Pick<Charge, 'id' | 'falta' | 'valor' | 'pedido'>, receipt?: Tell) {
  const today = useToday();
  const pay = usePayCharge(charge.id);
  const reverse = useReversePayment(charge.id);
  const method = lastMethod();

  const record = async (body: NewPayment) => {
    const { payment_id, quitada, creditos } = await pay.mutateAsync(body);
    localStorage.setItem(LAST, body.metodo_pagamento);
    const received = `${formatMoney(body.valor)} recebidos`;
    toast.success(quitada ? 'Cobrança paga' : 'Pagamento registrado', {
      description: quitada
        ? creditos > 0
          ? `${received} e ${plural(creditos, 'crédito adicionado', 'créditos adicionados')}.`
          : `${received}.`
        : `Faltam ${formatMoney(charge.falta - body.valor)}.`,
      // A charge that was paid in parts has no receipt of its own.
      ...(receipt && quitada && charge.falta === charge.valor && { tell: [receipt] }),
      ...takenBack(() => reverse.mutateAsync(payment_id), 'Pagamento desfeito'),
    });
  };

  const save = (body: NewPayment) =>
    orAnyway((anyway) => record(anyway ? { ...body, mesmo_assim: true } : body), {
      ...PIX_TOLD,
      failure: FAILURE,
    });

  return {
    save,
    method,
    /** Records what is asked, today, by the usual method: with what the day makes of it, or the amount alone. */
    whole: (valor: 'hoje' | 'falta' = 'hoje') => {
      const all = { hoje: charge.pedido, falta: charge.falta };
      void attempt(() => save({ valor: all[valor], metodo_pagamento: method, data: today }), FAILURE);
    },
    isPending: pay.isPending,
  };
}
