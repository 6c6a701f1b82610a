import type { Effects } from '../../platform/event-store/effect.js';
import { brl } from '../../platform/portuguese.js';
import type { TransactionEvent } from './transaction.js';

type Reversed = Extract<TransactionEvent, { type: 'TransactionReversed' }>['data'];

export const financeEffects: Effects = {
  TransactionReversed: ({ transaction_id, student_id, tipo, valor, data }: Reversed) => {
    const month = `${data.slice(5, 7)}/${data.slice(0, 4)}`;
    return [
      {
        ...{ kind: `${tipo} ${month}`, quantidade: valor, student_id, receita: transaction_id },
        texto: (sum) => `tira ${brl(sum)} ${tipo === 'receita' ? 'do recebido' : 'das despesas'} de ${month}`,
      },
    ];
  },
};
