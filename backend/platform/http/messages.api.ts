import type { $ZodRawIssue } from 'zod/v4/core';
import { plural } from '../plural.api.js';

const KINDS: Record<string, string> = {
  string: 'um texto',
  number: 'um número',
  int: 'um número inteiro',
  boolean: 'verdadeiro ou falso',
  array: 'uma lista',
  object: 'um objeto',
  date: 'uma data',
};

const FORMATS: Record<string, string> = {
  email: 'Informe um e-mail válido',
  url: 'Informe um endereço válido',
  uuid: 'Identificador inválido',
  date: 'Informe o dia como 25/12/2026',
  datetime: 'Informe data e hora válidas, com fuso horário',
};

/** Validation messages in Brazilian Portuguese: `z.config({ localeError: portugueseMessage })`. */
export function portugueseMessage(issue: $ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'Campo obrigatório'
        : `Informe ${KINDS[issue.expected] ?? 'um valor válido'}`;
    case 'invalid_value':
      return `Use um destes valores: ${(issue.values as unknown[]).join(', ')}`;
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'Formato inválido';
    case 'too_small':
      return atLeast(issue.origin, Number(issue.minimum), issue.inclusive !== false);
    case 'too_big':
      return atMost(issue.origin, Number(issue.maximum), issue.inclusive !== false);
    case 'not_multiple_of':
      return `Use um múltiplo de ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return 'Campo desconhecido';
    default:
      return 'Valor inválido';
  }
}

function atLeast(origin: string, minimum: number, inclusive: boolean): string {
  if (origin === 'string')
    return minimum === 1 ? 'Campo obrigatório' : `Use pelo menos ${minimum} caracteres`;
  if (origin === 'array') return `Inclua pelo menos ${plural(minimum, 'item', 'itens')}`;
  return inclusive ? `O valor mínimo é ${minimum}` : `O valor deve ser maior que ${minimum}`;
}

function atMost(origin: string, maximum: number, inclusive: boolean): string {
  if (origin === 'string') return `Use no máximo ${maximum} caracteres`;
  if (origin === 'array') return `Inclua no máximo ${plural(maximum, 'item', 'itens')}`;
  return inclusive ? `O valor máximo é ${maximum}` : `O valor deve ser menor que ${maximum}`;
}
