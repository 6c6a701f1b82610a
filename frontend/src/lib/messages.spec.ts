import { describe, expect, it } from '@jest/globals';
import type * as z from 'zod/mini';
import { newTransaction } from '../../../backend/modules/finance/finance.api.js';
import { newPlan } from '../../../backend/modules/plans/plans.api.js';
import { financialSettings } from '../../../backend/modules/settings/settings.api.js';
import { calendarDate } from '../../../backend/platform/http/common.api.js';
import { pageMessage } from './messages.js';
import { amountOf } from './money.js';

const said = (schema: z.ZodMiniType, value: unknown, field?: string) =>
  schema
    .safeParse(value, { error: pageMessage })
    .error?.issues.find(({ path }) => field === undefined || path[0] === field)?.message;

describe('the message for a date', () => {
  it.each(['31/02/2030', '25/13/2026', '12', '2026-02-30', ''])(
    'of a day that does not exist: %j',
    (typed) => {
      expect(said(calendarDate, typed)).toBe('Informe o dia como 25/12/2026');
    },
  );
});

describe('the message for an amount', () => {
  const ofEntry = (typed: string) => said(newTransaction, { valor: amountOf(typed) }, 'valor');
  const ofPlan = (typed: string) => said(newPlan, { valor: amountOf(typed) }, 'valor');
  const ofGoal = (typed: string) => said(financialSettings, { meta_mensal: amountOf(typed) }, 'meta_mensal');

  it.each<[(typed: string) => string | undefined, string, string]>([
    [ofEntry, '', 'Campo obrigatório'],
    [ofEntry, '1,234', 'Informe o valor como 1.234,56'],
    [ofEntry, '-5', 'Valor deve ser maior que zero'],
    [ofEntry, '0', 'Valor deve ser maior que zero'],
    [ofEntry, '99999999999', 'Use no máximo R$ 100.000.000,00'],
    [ofPlan, '', 'Campo obrigatório'],
    [ofPlan, '1,234', 'Informe o valor como 1.234,56'],
    [ofPlan, '-5', 'Valor deve ser maior que zero'],
    [ofPlan, '99999999999', 'Use no máximo R$ 1.000.000,00'],
    [ofGoal, '1,234', 'Informe o valor como 1.234,56'],
    [ofGoal, '-5', 'Valor deve ser maior que zero'],
    [ofGoal, '99999999999', 'Use no máximo R$ 100.000.000,00'],
  ])('typed as %j (%#)', (of, typed, message) => {
    expect(of(typed)).toBe(message);
  });
});
