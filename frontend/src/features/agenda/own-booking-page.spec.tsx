import { expect, it } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import type {
  NewOwnSession,
  OwnTimes,
} from '../../../../backend/modules/student-area/student-booking.api.js';
import { button, open, said } from '../../../spec/screen.js';
import { OwnBookingPage } from './own-booking-page.js';

const free = { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false };
const strict = { ...free, queima_credito: true };
const seven = { inicio: '2030-11-05T10:00:00.000Z', fim: '2030-11-05T11:00:00.000Z', locais: null };
const eight = { inicio: '2030-11-05T11:00:00.000Z', fim: '2030-11-05T12:00:00.000Z', locais: null };
const times: OwnTimes = {
  situacao: 'livre',
  creditos_livres: null,
  creditos_ate: null,
  pausado_ate: null,
  abertas: 0,
  limite: 4,
  servicos: [],
  servico: null,
  online: false,
  locais: [
    { id: 'zen', nome: 'Zen', politica: strict },
    { id: 'arena', nome: 'Arena', politica: free },
  ],
  horarios: [seven, eight],
  turmas: { situacao: 'livre', items: [] },
  costume: { inicio: seven.inicio, location_id: 'zen' },
};
const shown = (booked: NewOwnSession[], at = '/agenda') =>
  open(<OwnBookingPage trainer="Marina" />, {
    at,
    answers: {
      'GET /student/free-times': times,
      'POST /student/sessions': (body: NewOwnSession) => {
        booked.push(body);
        return { id: 'x' };
      },
    },
  });

it('books the usual hour at the usual place in two taps, and says what it costs to cancel before, and the place after', async () => {
  const booked: NewOwnSession[] = [];
  const user = shown(booked);
  await user.click(await button(/^ter\., 5 de nov\. de 2030, 7:00, como sempre ?Zen/));
  const sheet = await screen.findByRole('dialog');
  await within(sheet).findByText(
    /^Desmarcar: sem custo até .*4 de nov\. de 2030, 7:00; depois, desconta 1 crédito\.$/,
  );
  await user.selectOptions(within(sheet).getByLabelText('Local'), 'Arena');
  await within(sheet).findByText('Desmarcar não tem custo.');
  await user.selectOptions(within(sheet).getByLabelText('Local'), 'Zen');
  await user.click(within(sheet).getByRole('button', { name: 'Agendar' }));
  expect(await said()).toEqual(['Aula agendada', 'ter., 5 de nov. de 2030, 7:00 · Zen']);
  expect(booked).toEqual([{ inicio: seven.inicio, location_id: 'zen' }]);
});

it('says of a service that takes no credit that cancelling takes none', async () => {
  const servico = { id: 'check', nome: 'Avaliação', duracao_min: 30, valor: 15_000, usa_credito: false };
  open(<OwnBookingPage trainer="Marina" />, {
    at: `/agenda?horario=${seven.inicio}`,
    answers: {
      'GET /student/free-times': { ...times, servicos: [{ ...servico, cor: 'verde' }], servico: 'check' },
    },
  });
  const sheet = await screen.findByRole('dialog');
  await within(sheet).findByText(/^Avaliação, 30 min, R\$.150,00$/);
  await within(sheet).findByText('Desmarcar não tem custo.');
});

it('says in the open sheet that its time is not free any more', async () => {
  const user = shown([], '/agenda?horario=2030-11-05T13:00:00.000Z');
  const sheet = await screen.findByRole('dialog');
  await within(sheet).findByText('Este horário não está mais livre');
  await user.click(within(sheet).getByRole('button', { name: 'Ver outros horários' }));
  await user.click(await button('8:00'));
  await screen.findByRole('button', { name: 'Agendar' });
});

it('enters a class with a free seat in one tap, and waits for one where there is none', async () => {
  const sent: string[] = [];
  const turma = {
    nome: 'Funcional',
    fim: eight.fim,
    location_nome: 'Zen',
    vagas: 6,
    livres: 2,
    minimo: { alunos: 3, horas: 2 },
    minha: false,
    fila: null,
    politica: strict,
  };
  const to = (path: string) => () => {
    sent.push(path);
    return { id: 'x' };
  };
  const user = open(<OwnBookingPage trainer="Marina" />, {
    answers: {
      'GET /student/free-times': {
        ...times,
        situacao: 'fechada',
        turmas: {
          situacao: 'livre',
          items: [
            { ...turma, id: 'seven', inicio: seven.inicio },
            { ...turma, id: 'eight', inicio: eight.inicio, livres: 0 },
            { ...turma, id: 'nine', inicio: eight.fim, livres: 0, fila: { lugar: 2, ate: null } },
          ],
        },
      } satisfies OwnTimes,
      'POST /student/classes/seven/book': to('book'),
      'POST /student/classes/eight/wait': to('wait'),
      'POST /student/classes/nine/leave': to('leave'),
    },
  });
  await user.click(await button('Agendar: Funcional · ter., 5 de nov. de 2030, 7:00'));
  expect(await said()).toEqual(['Aula agendada', 'Funcional · ter., 5 de nov. de 2030, 7:00']);
  await screen.findByText(
    /Zen · 2.vagas.*depois, desconta 1 crédito\.Acontece com 3 alunos ou mais\. Com menos/,
  );
  await user.click(await button('Entrar na fila: Funcional · ter., 5 de nov. de 2030, 8:00'));
  await screen.findByText(/Você é o 2º da fila\./);
  await user.click(await button('Sair da fila: Funcional · ter., 5 de nov. de 2030, 9:00'));
  expect(sent).toEqual(['book', 'wait', 'leave']);
  expect(screen.queryByText('Agenda fechada para alunos')).toBeNull();
});

it('says what a student needs who is offered a seat without a credit for it', async () => {
  const turma = {
    id: 'seven',
    nome: 'Funcional',
    inicio: seven.inicio,
    fim: seven.fim,
    location_nome: 'Zen',
    vagas: 6,
    livres: 1,
    minimo: null,
    minha: false,
    politica: strict,
    fila: { lugar: 1, ate: '2030-11-04T13:00:00.000Z' },
  };
  open(<OwnBookingPage trainer="Marina" />, {
    answers: {
      'GET /student/free-times': {
        ...times,
        turmas: { situacao: 'sem_creditos', items: [turma] },
      } satisfies OwnTimes,
    },
  });
  await screen.findByText(/Abriu uma vaga, sua até .*: renove o plano para agendar\.$/);
  expect(screen.queryByRole('button', { name: /^Agendar: Funcional/ })).toBeNull();
});
