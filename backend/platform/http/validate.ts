import { safeParse, type $ZodIssue, type $ZodType } from 'zod/v4/core';
import { portugueseMessage } from './messages.api.js';
import { type FieldError, Problem } from './problem.js';
import { escapePointer } from './strict-json.js';

const MAX_ERRORS = 20;

/**
 * Parses the value by its schema.
 * @throws Problem `validation` (400) if it is malformed, `broken_rule` (422) if only rules between fields fail
 */
export function validate(schema: $ZodType, value: unknown): unknown {
  const result = safeParse(schema, value, { error: portugueseMessage });
  if (result.success) return result.data;
  const { issues } = result.error;
  const code = issues.every(isBrokenRule) ? 'broken_rule' : 'validation';
  throw new Problem(code, { errors: firstOfEachField(issues.flatMap(toFieldErrors)) });
}

/** Keeps the first error of each field, up to a maximum number. */
function firstOfEachField(errors: readonly FieldError[]): FieldError[] {
  const fields = new Map<string, FieldError>();
  for (const error of errors) {
    if (fields.size === MAX_ERRORS) break;
    if (!fields.has(error.pointer)) fields.set(error.pointer, error);
  }
  return [...fields.values()];
}

function isBrokenRule(issue: $ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.rule === true;
}

function toFieldErrors(issue: $ZodIssue): FieldError[] {
  const pointer = issue.path.map((part) => `/${escapePointer(String(part))}`).join('');
  if (issue.code !== 'unrecognized_keys') return [{ pointer, detail: issue.message }];
  return issue.keys.map((key) => ({ pointer: `${pointer}/${escapePointer(key)}`, detail: issue.message }));
}
