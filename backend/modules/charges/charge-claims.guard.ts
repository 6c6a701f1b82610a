import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import { Problem } from '../../platform/http/problem.js';
import type { ChargeEvent } from './charge.js';
import type { ArrivedPixEvent } from './arrived-pix.js';

const claimed = (what: string, charge_id: string | null): Write => [
  'insert into charge_claims (tenant_id, claim, charge_id) values ($1, $2, $3)',
  what,
  charge_id,
];
const drop = (what: string): Write => ['delete from charge_claims where tenant_id = $1 and claim = $2', what];
const claimSession = ({ session_id, charge_id }: { session_id: string | null; charge_id: string }) =>
  session_id === null ? [] : [claimed(`session:${session_id}`, charge_id)];

/**
 * What can belong to one charge only: a student's reminder of a day, a charged session, a receita that pays, a provider's
 * `txid`, a Pix that names it. `left:`: the charge that was cancelled with its session, and comes back with it, unless one was
 * cancelled by hand since.
 */
export const chargeClaims = defineGuard<ChargeEvent | ArrivedPixEvent>({
  name: 'charge-claims',
  version: 4,
  tables: ['charge_claims'],
  writes: {
    ChargeIssued: (data) => [claimed(`txid:${data.txid}`, data.charge_id), ...claimSession(data)],
    ChargeRestored: claimSession,
    ChargeCancelled: ({ session_id, com_sessao, charge_id }) =>
      session_id === null
        ? []
        : [
            drop(`session:${session_id}`),
            drop(`left:${session_id}`),
            ...(com_sessao === null ? [] : [claimed(`left:${session_id}`, charge_id)]),
          ],
    ChargePaid: ({ transaction_id, charge_id }) => [claimed(`transaction:${transaction_id}`, charge_id)],
    ChargeRefunded: ({ resta, valor_cobrado, session_id, charge_id }) => [
      ...(resta === null ? [] : [claimed(`transaction:${resta.transaction_id}`, charge_id)]),
      // The reason of a cancelled charge may be charged again.
      ...(valor_cobrado === 0 && session_id !== null ? [drop(`session:${session_id}`)] : []),
    ],
    ChargeReminded: ({ student_id, dia, charge_id }) => [claimed(`reminded:${student_id}:${dia}`, charge_id)],
    PixArrived: ({ pix_id, charge_id, partes }) => [
      ...(charge_id === null ? [] : [claimed(`pix:${pix_id}`, charge_id)]),
      ...partes.map((part) => claimed(`pix:${pix_id}:${part.charge_id}`, part.charge_id)),
    ],
  },
  violations: { charge_claims_once: () => new Problem('charges.session_charged') },
});

const link = (data: { charge_id: string; link_id: string; token_hash: string }): Write[] => [
  ['delete from charge_links where tenant_id = $1 and charge_id = $2', data.charge_id],
  [
    `insert into charge_links (tenant_id, id, charge_id, token_hash) values ($1, $2, $3, decode($4, 'hex'))`,
    data.link_id,
    data.charge_id,
    data.token_hash,
  ],
];

/** The current payment link of each charge, by the hash of its token. */
export const chargeLinks = defineGuard<ChargeEvent>({
  name: 'charge-links',
  tables: ['charge_links'],
  writes: { ChargeIssued: link, ChargeLinkReplaced: link },
});
