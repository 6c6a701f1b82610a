import type { $ZodRawIssue } from 'zod/v4/core';
import { portugueseMessage } from '../../../backend/platform/http/messages.api.js';

/** The error of a field without a date, time or amount, also of an empty one. */
export const DAY_FORM = 'Informe o dia como 25/12/2026';
export const TIME_FORM = 'Informe o horário como 07:30';
export const AMOUNT_FORM = 'Informe o valor como 1.234,56';

/** The error of a form's field. A text in place of an amount could not be parsed. */
export function pageMessage(issue: $ZodRawIssue): string {
  if (issue.code === 'invalid_type' && issue.expected === 'number' && typeof issue.input === 'string')
    return AMOUNT_FORM;
  return portugueseMessage(issue);
}
