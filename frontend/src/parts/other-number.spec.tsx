import { expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { ToldContact } from '../../../backend/modules/told-contacts/told-contacts.api.js';
import { open, said, takeBack } from '../../spec/screen.js';
import OtherNumber from './other-number.js';

const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a11';
const told: ToldContact = {
  ...{ id, nome: 'Ana Souza', campo: 'whatsapp' },
  ...{ valor: '+5521987654321', atual: '+5511987654321', dividido: false },
};

it('a link to a number that the student has replaced asks first; others open at once', async () => {
  const sent = jest.fn((_body: unknown) => ({ id }));
  const read = jest.fn(() => ({ items: [told] }));
  const opened: string[] = [];
  const user = open(
    <div
      onClick={(event) => {
        const link = event.target instanceof Element && event.target.closest('a');
        if (link && !event.defaultPrevented) opened.push(link.href);
        event.preventDefault();
      }}
    >
      <a href="https://wa.me/5511987654321?text=Oi">Ana</a>
      <a href="https://wa.me/5531987654321?text=Oi">Bia</a>
      <OtherNumber />
    </div>,
    { answers: { 'GET /told-contacts': read, [`PUT /students/${id}/told-contact`]: sent } },
  );
  await waitFor(() => expect(read.mock.results).toHaveLength(1));
  await user.click(screen.getByText('Bia'));
  expect(opened).toEqual(['https://wa.me/5531987654321?text=Oi']);
  await waitFor(async () => {
    await user.click(screen.getByText('Ana'));
    await screen.findByText('Ana informou outro número');
  });
  await user.click(await screen.findByText('Atualizar e abrir o novo'));
  expect(await takeBack()).toBe('Cadastro atualizado');
  // Never the number that was replaced.
  expect(opened.slice(1)).toEqual(['https://wa.me/5521987654321?text=Oi']);
  expect(await said()).toEqual(['Atualização desfeita']);
  const { campo, valor } = told;
  expect(sent.mock.calls.map(([body]) => body)).toEqual([
    { campo, valor, resposta: 'atualizar' },
    { campo, valor, resposta: 'perguntar' },
  ]);
});

it('a number that other students have too is not replaced by the one that a student told', async () => {
  const user = open(
    <div onClick={(event) => event.preventDefault()}>
      <a href="https://wa.me/5511987654321?text=Oi">Bia</a>
      <OtherNumber />
    </div>,
    { answers: { 'GET /told-contacts': { items: [{ ...told, dividido: true }] } } },
  );
  await waitFor(async () => {
    await user.click(screen.getByText('Bia'));
    expect(screen.queryByText(/a mensagem pode ser para outra pessoa/)).not.toBeNull();
  });
  const links = screen.getAllByRole('link', { name: /Abrir|Ver/ }).map((link) => link.getAttribute('href'));
  expect(links).toEqual(['https://wa.me/5511987654321?text=Oi', `/alunos/${id}`]);
});
