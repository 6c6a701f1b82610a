import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import type { CreditEvent } from '../credits/credit-account.js';
import type { ChargeEvent } from './charge.js';

const link = (lotId: string, chargeId: string): Write => [
  'update plan_grants set charge_id = $3 where tenant_id = $1 and lot_id = $2',
  lotId,
  chargeId,
];
const release = (chargeId: string): Write => [
  'update plan_grants set charge_id = null, paga = false where tenant_id = $1 and charge_id = $2',
  chargeId,
];
const open = (chargeId: string, isOpen: boolean): Write => [
  'update plan_charges set aberta = $3 where tenant_id = $1 and charge_id = $2',
  chargeId,
  isOpen,
];
const settle = ({ charge_id, falta }: { charge_id: string; falta: number }): Write[] => [
  ['update plan_grants set paga = $3 where tenant_id = $1 and charge_id = $2', charge_id, falta === 0],
  open(charge_id, falta !== 0),
];
const end = (chargeId: string) => [release(chargeId), open(chargeId, false)];

/**
 * Which granted credits of plans have no money yet, and which charges are for plans: so that one payment grants credits once,
 * however it arrives.
 */
export const planGrants = defineGuard<CreditEvent | ChargeEvent>({
  name: 'plan-grants',
  tables: ['plan_grants', 'plan_charges'],
  writes: {
    CreditsGranted: ({ sem_pagamento, lot_id, student_id, plano_id, quantidade, at }) =>
      sem_pagamento
        ? [
            [
              'insert into plan_grants (tenant_id, lot_id, student_id, plano_id, quantidade, em) values ($1, $2, $3, $4, $5, $6)',
              lot_id,
              student_id,
              plano_id,
              quantidade,
              at,
            ],
          ]
        : [],
    CreditsAdjusted: ({ desfaz }) =>
      desfaz === undefined ? [] : [['delete from plan_grants where tenant_id = $1 and lot_id = $2', desfaz]],
    GrantWaived: ({ lot_id, dispensada }) => [
      ['update plan_grants set dispensada = $3 where tenant_id = $1 and lot_id = $2', lot_id, dispensada],
    ],
    CreditsTakenOver: ({ student_id, todos }) => [
      [
        'update plan_grants set student_id = $2 where tenant_id = $1 and lot_id = any($3::uuid[])',
        student_id,
        todos,
      ],
    ],
    ChargeReassigned: ({ student_id, charge_id }) => [
      [
        'update plan_charges set student_id = $2 where tenant_id = $1 and charge_id = $3',
        student_id,
        charge_id,
      ],
    ],
    ChargeIssued: ({ charge_id, student_id, plano_id, creditos, grant_id }) =>
      plano_id === null || (creditos === 0 && grant_id === undefined)
        ? []
        : [
            [
              'insert into plan_charges (tenant_id, charge_id, student_id, plano_id) values ($1, $2, $3, $4)',
              charge_id,
              student_id,
              plano_id,
            ],
            ...(grant_id === undefined ? [] : [link(grant_id, charge_id)]),
          ],
    ChargeGrantLinked: ({ grant_id, charge_id }) => [
      grant_id === null ? release(charge_id) : link(grant_id, charge_id),
    ],
    ChargeCancelled: ({ charge_id }) => end(charge_id),
    ChargeRestored: ({ grant_id, charge_id }) => [
      ...(grant_id === undefined ? [] : [link(grant_id, charge_id)]),
      open(charge_id, true),
    ],
    ChargePaid: settle,
    ChargePaymentReversed: settle,
    ChargeRefunded: ({ valor_cobrado, charge_id }) => (valor_cobrado === 0 ? end(charge_id) : []),
  },
});
