import { describe, expect, it, jest } from '@jest/globals';
import { MantineProvider, TextInput } from '@mantine/core';
import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as z from 'zod/mini';
import { useBodyForm } from '../lib/form.js';
import { ProblemError } from '../lib/problem.js';
import { FormStack, SaveButton, submitting } from './form.js';
import { toasterMounted, type Toast } from './toast.js';

const schema = z.object({
  nome: z.string().check(z.minLength(2, 'Nome muito curto')),
  cor: z.string(),
});

const toasts: Toast[] = [];
toasterMounted((toast) => toasts.push(toast));

function given(save: (body: unknown) => Promise<unknown>) {
  function Form() {
    const form = useBodyForm({ initialValues: { nome: '', cor: 'azul' }, schema, toBody: (typed) => typed });
    return (
      <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar lista' })}>
        <TextInput label="Nome" {...form.getInputProps('nome')} />
        <TextInput label="Cor" {...form.getInputProps('cor')} />
        <SaveButton busy={form.submitting}>Salvar</SaveButton>
      </FormStack>
    );
  }
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  );
  return userEvent.setup();
}

const name = () => screen.getByLabelText<HTMLInputElement>('Nome');
const button = () => screen.getByRole('button');
const refusal = (pointer?: string) =>
  new ProblemError(
    422,
    {
      title: 'Já existe uma lista com este nome',
      ...(pointer && { errors: [{ pointer, detail: 'Já existe uma lista com este nome' }] }),
    },
    null,
  );

describe('a form', () => {
  it('sends nothing invalid, shows the errors and focuses the field', async () => {
    const save = jest.fn<(body: unknown) => Promise<unknown>>();
    const user = given(save);
    await user.type(name(), 'A');
    await user.click(button());
    expect(await screen.findByText('Nome muito curto')).toBeTruthy();
    expect(document.activeElement).toBe(name());
    expect(save).not.toHaveBeenCalled();
  });

  it('sends once, however often it is tapped, and says that it is saving', async () => {
    const answers: (() => void)[] = [];
    const save = jest.fn<(body: unknown) => Promise<void>>(
      () => new Promise((resolve) => answers.push(resolve)),
    );
    const user = given(save);
    await user.type(name(), 'Academia{Enter}{Enter}');
    await waitFor(() => expect(button().textContent).toBe('Salvando...'));
    await user.click(button());
    expect(save).toHaveBeenCalledTimes(1);
    expect(save).toHaveBeenCalledWith({ nome: 'Academia', cor: 'azul' });
    act(() => answers[0]!());
    await waitFor(() => expect(button().textContent).toBe('Salvar'));
  });

  it('keeps the values when it is refused, and shows the reason in a toast', async () => {
    toasts.length = 0;
    const user = given(() => Promise.reject(refusal()));
    await user.type(name(), 'Academia{Enter}');
    await waitFor(() => expect(toasts).toHaveLength(1));
    expect(toasts[0]).toMatchObject({
      kind: 'error',
      title: 'Erro ao salvar lista',
      description: 'Já existe uma lista com este nome',
    });
    expect(name().value).toBe('Academia');
  });

  it('shows an error of a field at that field, without a toast', async () => {
    toasts.length = 0;
    const user = given(() => Promise.reject(refusal('/nome')));
    await user.type(name(), 'Academia');
    await user.click(button());
    expect(await screen.findByText('Já existe uma lista com este nome')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(name()));
    expect(toasts).toHaveLength(0);
  });
});

it('validates the CPF of a person within a form on blur, but not while it is empty', async () => {
  const error = 'CPF inválido';
  const guardian = z.object({ responsavel: z.object({ cpf: z.string().check(z.regex(/^\d{11}$/, error)) }) });
  function Form() {
    const initialValues = { responsavel: { cpf: '' } };
    const form = useBodyForm({ initialValues, schema: guardian, toBody: (typed) => typed });
    return <TextInput label="CPF" {...form.getInputProps('responsavel.cpf')} />;
  }
  render(
    <MantineProvider env="test">
      <Form />
    </MantineProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByLabelText('CPF'));
  await user.tab();
  expect(screen.queryByText(error)).toBeNull();
  await user.type(screen.getByLabelText('CPF'), '123');
  await user.tab();
  expect(await screen.findByText(error)).toBeTruthy();
});
