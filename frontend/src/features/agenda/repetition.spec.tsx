import { expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { button, field, open, said } from '../../../spec/screen.js';
import { once, RepetitionFields } from './repetition.js';
import SeriesPreviewPanel, { type SeriesStart } from './series-preview.js';

function Fields() {
  const [repetition, setRepetition] = useState(once);
  return <RepetitionFields day="2026-11-26" value={repetition} errors={{}} onChange={setRepetition} />;
}

it('an invalid last day shows an error when its field is left, until it is edited', async () => {
  const user = open(<Fields />);
  await user.click(await button('Toda semana'));
  await user.selectOptions(await field('Termina'), 'Em uma data');
  const until = await field('Até');
  await user.click(until);
  await user.tab();
  expect(until.getAttribute('aria-invalid')).not.toBe('true');
  await user.type(until, '31/02/2030');
  expect(screen.queryByText('Informe o dia como 25/12/2026')).toBeNull();
  await user.tab();
  await screen.findByText('Informe o dia como 25/12/2026');
  await user.clear(until);
  await user.type(until, '28/02/2030');
  await user.tab();
  expect(screen.queryByText('Informe o dia como 25/12/2026')).toBeNull();
});

it('a series that fits nowhere says what is in the way on most days, and takes them all with one tap', async () => {
  const early = { texto: '5:30 é antes do seu horário (6:00)' };
  const taken = { texto: 'João já tem sessão das 6:00 às 7:00' };
  const on = (data: string, ...obstaculos: object[]) => ({
    data,
    inicio: `${data}T08:30:00.000Z`,
    fim: `${data}T09:30:00.000Z`,
    obstaculos,
  });
  const user = open(
    <SeriesPreviewPanel
      wish={{
        student_ids: ['ana'],
        session: { location_id: null, observacoes: null },
        recurrence: { data: '2030-12-02', hora: '05:30', duracao: 60, dias: [1], intervalo: 1 },
      }}
      tell={() => Promise.resolve([])}
      onBack={() => undefined}
      onDone={() => undefined}
    />,
    {
      answers: {
        'GET /series/preview': {
          texto: 'Toda segunda, 5:30',
          tem_fim: false,
          sessoes: [on('2030-12-02', taken, early), on('2030-12-09', early)],
        },
      },
    },
  );
  await screen.findByText('Nenhuma cabe: 5:30 é antes do seu horário (6:00).');
  expect(screen.queryByText(/As próximas entram na agenda/)).toBeNull();
  await user.click(screen.getByLabelText('Agendar todas as 2 mesmo assim'));
  await button('Agendar 2 sessões');
  await user.click(screen.getByLabelText('Agendar todas as 2 mesmo assim'));
  expect((await button('Agendar')).hasAttribute('disabled')).toBe(true);
});

it('a series that was booked offers to tell the student, from its first booked day on', async () => {
  const taken = { texto: 'Feriado: Natal' };
  const on = (data: string, ...obstaculos: object[]) => ({
    data,
    inicio: `${data}T10:00:00.000Z`,
    fim: `${data}T11:00:00.000Z`,
    obstaculos,
  });
  const told: SeriesStart[] = [];
  const user = open(
    <SeriesPreviewPanel
      wish={{
        student_ids: ['ana'],
        session: { location_id: null, observacoes: null },
        recurrence: { data: '2030-12-25', hora: '07:00', duracao: 60, dias: [3], intervalo: 1 },
      }}
      tell={(start) => {
        told.push(start);
        return Promise.resolve([]);
      }}
      onBack={() => undefined}
      onDone={() => undefined}
    />,
    {
      answers: {
        'GET /series/preview': {
          texto: 'Toda quarta, 7:00',
          tem_fim: true,
          sessoes: [on('2030-12-25', taken), on('2031-01-01')],
        },
        'POST /series': { id: 'serie', mudanca_id: 'mudanca', sessoes: 1, puladas: 1 },
      },
    },
  );
  await user.click(await button('Agendar 1 sessão'));
  expect(await said()).toEqual(['Horário fixo agendado', 'Toda quarta, 7:00: 1 sessão']);
  expect(told).toEqual([{ inicio: '2031-01-01T10:00:00.000Z', words: 'Toda quarta, 7:00' }]);
});
