import type { Guard, Statement } from '../../platform/event-store/guard.js';
import type { CreditEvent } from '../credits/credit-account.js';
import type { ChargeEvent } from './charge.js';

type Handled =
  | Extract<CreditEvent, { type: 'CreditsGranted' | 'CreditsAdjusted' | 'GrantWaived' | 'CreditsTakenOver' }>
  | Exclude<
      ChargeEvent,
      {
        type:
          | 'ChargeChanged'
          | 'ChargePaymentClaimed'
          | 'ChargeLinkReplaced'
          | 'ChargePromised'
          | 'ChargeSent'
          | 'ChargeReminded';
      }
    >;

/**
 * Which granted credits of plans have no money yet, and which charges are for plans: so that one payment grants credits once,
 * however it arrives.
 */
export const planGrants: Guard = {
  name: 'plan-grants',
  tables: ['plan_grants', 'plan_charges'],
  events: [
    'CreditsGranted',
    'CreditsAdjusted',
    'GrantWaived',
    'CreditsTakenOver',
    'ChargeIssued',
    'ChargeGrantLinked',
    'ChargeCancelled',
    'ChargeRestored',
    'ChargePaid',
    'ChargePaymentReversed',
    'ChargeRefunded',
    'ChargeReassigned',
  ] satisfies Handled['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as Handled;
    const run = (text: string, ...values: unknown[]): Statement => ({ text, values: [tenantId, ...values] });
    const claim = (lotId: string, chargeId: string) =>
      run('update plan_grants set charge_id = $3 where tenant_id = $1 and lot_id = $2', lotId, chargeId);
    const release = (chargeId: string) =>
      run(
        'update plan_grants set charge_id = null, paga = false where tenant_id = $1 and charge_id = $2',
        chargeId,
      );
    const settle = (chargeId: string, paid: boolean) => [
      run('update plan_grants set paga = $3 where tenant_id = $1 and charge_id = $2', chargeId, paid),
      open(chargeId, !paid),
    ];
    const open = (chargeId: string, isOpen: boolean) =>
      run('update plan_charges set aberta = $3 where tenant_id = $1 and charge_id = $2', chargeId, isOpen);
    switch (type) {
      case 'CreditsGranted':
        if (!data.sem_pagamento) return [];
        return [
          run(
            'insert into plan_grants (tenant_id, lot_id, student_id, plano_id, quantidade, em) values ($1, $2, $3, $4, $5, $6)',
            ...[data.lot_id, data.student_id, data.plano_id, data.quantidade, data.at],
          ),
        ];
      case 'CreditsAdjusted':
        if (data.desfaz === undefined) return [];
        return [run('delete from plan_grants where tenant_id = $1 and lot_id = $2', data.desfaz)];
      case 'GrantWaived':
        return [
          run(
            'update plan_grants set dispensada = $3 where tenant_id = $1 and lot_id = $2',
            ...[data.lot_id, data.dispensada],
          ),
        ];
      case 'CreditsTakenOver':
        return [
          run(
            'update plan_grants set student_id = $2 where tenant_id = $1 and lot_id = any($3::uuid[])',
            ...[data.student_id, data.todos],
          ),
        ];
      case 'ChargeReassigned':
        return [
          run(
            'update plan_charges set student_id = $2 where tenant_id = $1 and charge_id = $3',
            ...[data.student_id, data.charge_id],
          ),
        ];
      case 'ChargeIssued': {
        const { charge_id, student_id, plano_id, creditos, grant_id } = data;
        if (plano_id === null || (creditos === 0 && grant_id === undefined)) return [];
        return [
          run(
            'insert into plan_charges (tenant_id, charge_id, student_id, plano_id) values ($1, $2, $3, $4)',
            ...[charge_id, student_id, plano_id],
          ),
          ...(grant_id === undefined ? [] : [claim(grant_id, charge_id)]),
        ];
      }
      case 'ChargeGrantLinked':
        return [data.grant_id === null ? release(data.charge_id) : claim(data.grant_id, data.charge_id)];
      case 'ChargeCancelled':
        return [release(data.charge_id), open(data.charge_id, false)];
      case 'ChargeRestored':
        return [
          ...(data.grant_id === undefined ? [] : [claim(data.grant_id, data.charge_id)]),
          open(data.charge_id, true),
        ];
      case 'ChargePaid':
      case 'ChargePaymentReversed':
        return settle(data.charge_id, data.falta === 0);
      case 'ChargeRefunded':
        return data.valor_cobrado === 0 ? [release(data.charge_id), open(data.charge_id, false)] : [];
    }
  },
  violations: {},
};
