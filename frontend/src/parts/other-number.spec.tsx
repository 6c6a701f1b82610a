import { expect, it, jest } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { lazy, Suspense, useEffect } from 'react';
import type { ToldContact } from '../../../backend/modules/told-contacts/told-contacts.api.js';
import { open, said, takeBack, TROUBLE } from '../../spec/screen.js';
import { guardWhatsApp, onceOpened, whatsAppTapped } from '../ui/open-whatsapp.js';
import OtherNumber from './other-number.js';

const id = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a11';
const told: ToldContact = {
  id,
  nome: 'Ana Souza',
  campo: 'whatsapp',
  valor: '+5521987654321',
  atual: '+5511987654321',
  dividido: false,
};

/** Links to both, of which those that are tapped and not held go into `opened`; the question is loaded at this time. */
function links(loaded: Promise<void>, opened: string[] = []) {
  const Question = lazy(() => loaded.then(() => ({ default: OtherNumber })));
  function Links() {
    useEffect(guardWhatsApp, []);
    return (
      <div
        onClick={(event) => {
          const link = event.target instanceof Element && event.target.closest('a');
          if (link && !event.defaultPrevented) opened.push(link.href);
          event.preventDefault();
        }}
      >
        <a href="https://wa.me/5511987654321?text=Oi">Ana</a>
        <a href="https://wa.me/5531987654321?text=Oi">Bia</a>
        <Suspense>
          <Question />
        </Suspense>
      </div>
    );
  }
  return <Links />;
}

it('a link to a number that the student has replaced asks first; others open at once', async () => {
  const sent = jest.fn((_body: unknown) => ({ id }));
  const opened: string[] = [];
  const user = open(links(whatsAppTapped, opened), {
    answers: { 'GET /told-contacts': { items: [told] }, [`PUT /students/${id}/told-contact`]: sent },
  });
  await user.click(screen.getByText('Ana'));
  await screen.findByText('Ana informou outro número');
  await user.click(await screen.findByText('Atualizar e abrir o novo'));
  expect(await takeBack()).toBe('Cadastro atualizado');
  await user.click(screen.getByText('Bia'));
  // Never the number that was replaced.
  expect(opened).toEqual(['https://wa.me/5521987654321?text=Oi', 'https://wa.me/5531987654321?text=Oi']);
  expect(await said()).toEqual(['Atualização desfeita']);
  const { campo, valor } = told;
  expect(sent.mock.calls.map(([body]) => body)).toEqual([
    { campo, valor, resposta: 'atualizar' },
    { campo, valor, resposta: 'perguntar' },
  ]);
});

it.each([
  ['of another number', { items: [told] }],
  ['where the numbers cannot be read', TROUBLE],
])('a link that was tapped before the numbers were known opens by itself: %s', async (_what, answer) => {
  let load = () => undefined as void;
  const loaded = new Promise<void>((resolve) => (load = resolve));
  const opened: string[] = [];
  window.open = jest.fn<typeof window.open>();
  const user = open(links(loaded, opened), { answers: { 'GET /told-contacts': answer } });
  await user.click(screen.getByText('Bia'));
  expect(window.open).not.toHaveBeenCalled();
  load();
  await waitFor(() =>
    expect(window.open).toHaveBeenCalledWith('https://wa.me/5531987654321?text=Oi', '_blank', 'noreferrer'),
  );
  expect(opened).toEqual([]);
});

it('a number that other students have too is not replaced by the one that a student told', async () => {
  const user = open(links(Promise.resolve()), {
    answers: { 'GET /told-contacts': { items: [{ ...told, dividido: true }] } },
  });
  await user.click(screen.getByText('Ana'));
  await screen.findByText(/a mensagem pode ser para outra pessoa/);
  const shown = screen.getAllByRole('link', { name: /Abrir|Ver/ }).map((link) => link.getAttribute('href'));
  expect(shown).toEqual(['https://wa.me/5511987654321?text=Oi', `/alunos/${id}`]);
});

it('a message counts as sent once WhatsApp is opened, not where the question was left', async () => {
  const sent = jest.fn();
  const follow = jest.fn();
  const user = open(
    <>
      {links(Promise.resolve())}
      <div onClick={(event) => event.preventDefault()}>
        <a href="https://wa.me/5511987654321?text=Pague" onClick={onceOpened(sent)}>
          Cobrar Ana
        </a>
        <a href="https://wa.me/5531987654321?text=Pague" onClick={onceOpened(follow)}>
          Cobrar Bia
        </a>
      </div>
    </>,
    { answers: { 'GET /told-contacts': { items: [told] }, [`PUT /students/${id}/told-contact`]: { id } } },
  );
  await user.click(screen.getByText('Cobrar Ana'));
  await user.click(await screen.findByRole('button', { name: 'Fechar' }));
  await waitFor(() => expect(screen.queryByText('Ana informou outro número')).toBeNull());
  // Answers about another message say nothing about the one that was left.
  await user.click(screen.getByText('Ana'));
  await user.click(await screen.findByText('Abrir o do cadastro e decidir depois'));
  expect(sent).not.toHaveBeenCalled();

  await user.click(screen.getByText('Cobrar Ana'));
  await user.click(await screen.findByText('Abrir o do cadastro e decidir depois'));
  expect(sent).toHaveBeenCalledTimes(1);
  await user.click(screen.getByText('Cobrar Bia'));
  expect(follow).toHaveBeenCalledTimes(1);
  expect(sent).toHaveBeenCalledTimes(1);
});
