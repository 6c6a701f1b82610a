import type { Effect, Effects } from '../../platform/event-store/effect.js';
import { plural } from '../../platform/plural.api.js';
import { brl } from '../../platform/portuguese.js';
import type { ArrivedPixEvent } from './arrived-pix.js';
import { type ChargeEvent, dueOf, type KnownCharge } from './charge.js';

type DataOf<Type extends ChargeEvent['type']> = Extract<ChargeEvent, { type: Type }>['data'];
type Returned = Extract<ArrivedPixEvent, { type: 'PixReturned' }>['data'];

const of = (nome: string | null) => (nome === null ? '' : ` de ${nome}`);

const reopened = (student_id: string, quantidade: number): Effect[] => [
  {
    kind: 'reopened',
    quantidade,
    student_id,
    texto: (sum, nome) => `reabre ${brl(sum)} a receber${of(nome)}`,
  },
];

const cancelled = (student_id: string, quantidade: number): Effect[] => [
  {
    kind: 'cancelled',
    quantidade,
    student_id,
    texto: (sum, nome) => `cancela ${brl(sum)} a receber${of(nome)}`,
  },
];

export const chargeEffects: Effects = {
  ChargePaymentReversed: (
    { student_id, valor, acrescimo }: DataOf<'ChargePaymentReversed'>,
    state: KnownCharge,
  ) =>
    // Cancelled with it, it asks for nothing in between.
    state.cancelada
      ? cancelled(student_id, -dueOf(state))
      : reopened(student_id, Math.min(valor - acrescimo, dueOf(state))),
  ChargeRestored: ({ student_id }: DataOf<'ChargeRestored'>, state: KnownCharge) =>
    reopened(student_id, dueOf(state)),
  ChargeCancelled: ({ student_id }: DataOf<'ChargeCancelled'>, state: KnownCharge) =>
    cancelled(student_id, dueOf(state)),
  ChargeGrantLinked: ({ student_id, grant_id, creditos }: DataOf<'ChargeGrantLinked'>) => [
    {
      kind: 'granted once paid',
      quantidade: grant_id === null ? creditos : 0,
      student_id,
      texto: (sum) => `a cobrança volta a adicionar ${plural(sum, 'crédito', 'créditos')} quando for paga`,
    },
  ],
  ChargeReassigned: ({ student_id }: DataOf<'ChargeReassigned'>) => [
    {
      kind: 'charges reassigned',
      quantidade: 1,
      student_id,
      texto: (sum) => `passa ${plural(sum, 'cobrança', 'cobranças')} de volta ao outro cadastro`,
    },
  ],
  PixReturned: ({ student_id, valor }: Returned) => [
    {
      kind: 'pix',
      quantidade: valor,
      student_id,
      texto: (sum) => `leva ${brl(sum)} de volta a “Pix a decidir”`,
    },
  ],
};
