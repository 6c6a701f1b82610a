import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
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

describe('a form whose values change elsewhere', () => {
  const schema = z.object({ nome: z.string(), cidade: z.string() });
  let answer: () => void;
  function Place({ nome, cidade }: { nome: string; cidade: string }) {
    const form = useBodyForm({ initialValues: { nome, cidade }, schema, toBody: (values) => values });
    const send = () => new Promise<void>((resolve) => (answer = resolve)).then(form.finish);
    const shown = (field: 'nome' | 'cidade') => {
      const { error: _, defaultValue: __, ...props } = form.getInputProps(field);
      return <input aria-label={field} {...props} />;
    };
    return (
      <form onSubmit={form.submit(send)}>
        {shown('nome')}
        {shown('cidade')}
        <button>Salvar</button>
      </form>
    );
  }
  const type = (field: string, value: string) =>
    fireEvent.change(screen.getByLabelText(field), { target: { value } });
  const valueOf = (field: string) => screen.getByLabelText<HTMLInputElement>(field).value;

  it('follows them, and keeps what is being typed', async () => {
    const { rerender } = render(<Place nome="Rita" cidade="Recife" />);
    type('nome', 'Rita Prado');
    rerender(<Place nome="Rita Nova" cidade="Olinda" />);
    await waitFor(() => expect(valueOf('cidade')).toBe('Olinda'));
    expect(valueOf('nome')).toBe('Rita Prado');
  });

  it('keeps what was typed while it was sent', async () => {
    const { rerender } = render(<Place nome="Rita" cidade="Recife" />);
    type('nome', 'Rita Nova');
    fireEvent.click(screen.getByText('Salvar'));
    await act(() => type('nome', 'Rita Prado'));
    await act(() => Promise.resolve(answer()));
    rerender(<Place nome="Rita Nova" cidade="Olinda" />);
    await waitFor(() => expect(valueOf('cidade')).toBe('Olinda'));
    expect(valueOf('nome')).toBe('Rita Prado');
  });
});
