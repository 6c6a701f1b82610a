import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import * as z from 'zod/mini';
import { isCheckedOnLeaving, useBodyForm } from './form.js';
import { ProblemError } from './problem.js';

/** Maps each field with a format to the field name that follows it in the source. */
const FIELDS = /<(?:Cpf|Cep|Date|DateText|Time|Money)Field\b[^<]*?getInputProps\(['`]([^'`]+)/g;

it('every field with a format is validated on blur', () => {
  const sources = readdirSync('frontend/src/features', { recursive: true, encoding: 'utf8' });
  const paths = sources
    .filter((file) => file.endsWith('.tsx'))
    .flatMap((file) => [...readFileSync(`frontend/src/features/${file}`, 'utf8').matchAll(FIELDS)])
    .map(([, path]) => path!);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths).toContain('horarios.${at}.end_time');
  expect([...new Set(paths)].filter((path) => !isCheckedOnLeaving(path))).toEqual([]);
});

it('shows the error of a nested field at that field, and reports that one without a field is not shown', async () => {
  const schema = z.object({ responsavel: z.object({ cpf: z.string(), nome: z.string() }) });
  const shown: boolean[] = [];
  function Guardian() {
    const initialValues = { responsavel: { cpf: '', nome: '' } };
    const form = useBodyForm({ initialValues, schema, toBody: (values) => values });
    const { error, defaultValue: _, ...props } = form.getInputProps('responsavel.cpf');
    const refuse = (pointer: string) => {
      const errors = [{ pointer, detail: 'Informe o CPF do responsável' }];
      shown.push(form.showProblem(new ProblemError(422, { errors }, null)));
    };
    return (
      <>
        <input {...props} />
        <span>{error}</span>
        <button onClick={() => refuse('/responsavel/nome')}>elsewhere</button>
        <button onClick={() => refuse('/responsavel/cpf')}>here</button>
      </>
    );
  }
  render(<Guardian />);
  fireEvent.click(screen.getByText('elsewhere'));
  fireEvent.click(screen.getByText('here'));
  expect(shown).toEqual([false, true]);
  await screen.findByText('Informe o CPF do responsável');
  expect(document.activeElement?.tagName).toBe('INPUT');
});
