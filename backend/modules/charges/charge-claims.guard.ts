import type { Guard, Statement } from '../../platform/event-store/guard.js';
import { Problem } from '../../platform/http/problem.js';
import type { ChargeEvent } from './charge.js';
import type { ArrivedPixEvent } from './arrived-pix.js';

type Handled = ChargeEvent | Extract<ArrivedPixEvent, { type: 'PixArrived' }>;

/**
 * What can belong to one charge only: a student's reminder of a day, a charged session, a receita that pays, a provider's
 * `txid`, a Pix that names it. `left:`: the charge that was cancelled with its session, and comes back with it, unless one was
 * cancelled by hand since.
 */
export const chargeClaims: Guard = {
  name: 'charge-claims',
  version: 3,
  tables: ['charge_claims'],
  events: [
    'ChargeIssued',
    'ChargeCancelled',
    'ChargeRestored',
    'ChargePaid',
    'ChargeRefunded',
    'ChargeReminded',
    'PixArrived',
  ] satisfies Handled['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as Handled;
    const claim = (what: string): Statement => ({
      text: 'insert into charge_claims (tenant_id, claim, charge_id) values ($1, $2, $3)',
      values: [tenantId, what, data.charge_id],
    });
    const drop = (what: string): Statement => ({
      text: 'delete from charge_claims where tenant_id = $1 and claim = $2',
      values: [tenantId, what],
    });
    const free = (sessionId: string) => drop(`session:${sessionId}`);
    switch (type) {
      case 'ChargeIssued':
        return [
          claim(`txid:${data.txid}`),
          ...(data.session_id === null ? [] : [claim(`session:${data.session_id}`)]),
        ];
      case 'ChargeRestored':
        return data.session_id === null ? [] : [claim(`session:${data.session_id}`)];
      case 'ChargeCancelled':
        if (data.session_id === null) return [];
        return [
          free(data.session_id),
          drop(`left:${data.session_id}`),
          ...(data.com_sessao === null ? [] : [claim(`left:${data.session_id}`)]),
        ];
      case 'ChargePaid':
        return [claim(`transaction:${data.transaction_id}`)];
      case 'ChargeRefunded':
        return [
          ...(data.resta === null ? [] : [claim(`transaction:${data.resta.transaction_id}`)]),
          // The reason of a cancelled charge may be charged again.
          ...(data.valor_cobrado === 0 && data.session_id !== null ? [free(data.session_id)] : []),
        ];
      case 'ChargeGrantLinked':
      case 'ChargeChanged':
      case 'ChargePaymentReversed':
      case 'ChargePaymentClaimed':
      case 'ChargeLinkReplaced':
      case 'ChargeReassigned':
      case 'ChargePromised':
      case 'ChargeSent':
        return [];
      case 'ChargeReminded':
        return [claim(`reminded:${data.student_id}:${data.dia}`)];
      case 'PixArrived':
        return data.charge_id === null ? [] : [claim(`pix:${data.pix_id}`)];
    }
  },
  violations: { charge_claims_once: () => new Problem('charges.session_charged') },
};

type LinkEvent = Extract<ChargeEvent, { type: 'ChargeIssued' | 'ChargeLinkReplaced' }>;

/** The current payment link of each charge, by the hash of its token. */
export const chargeLinks: Guard = {
  name: 'charge-links',
  tables: ['charge_links'],
  events: ['ChargeIssued', 'ChargeLinkReplaced'] satisfies LinkEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as LinkEvent;
    switch (type) {
      case 'ChargeIssued':
      case 'ChargeLinkReplaced':
        return [
          {
            text: 'delete from charge_links where tenant_id = $1 and charge_id = $2',
            values: [tenantId, data.charge_id],
          },
          {
            text: `insert into charge_links (tenant_id, id, charge_id, token_hash)
              values ($1, $2, $3, decode($4, 'hex'))`,
            values: [tenantId, data.link_id, data.charge_id, data.token_hash],
          },
        ];
    }
  },
  violations: {},
};
