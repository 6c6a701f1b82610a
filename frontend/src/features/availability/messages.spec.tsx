import { expect, it } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import type { Vacation } from '../../../../backend/modules/vacations/vacations.api.js';
import { button, field, NOTHING, open, said, takeBack, TROUBLE } from '../../../spec/screen.js';
import HolidaysPage from './holidays-page.js';
import { Exceptions } from './exceptions.js';
import VacationPanel from './vacation-panel.js';
import WeekPanel from './week-panel.js';

const ID = '7b0a3a52-9d0b-4a39-8a3a-0d2c1f1f6a16';
const vacation = {
  id: ID,
  start_date: '2026-12-21',
  end_date: '2026-12-31',
  description: null,
  canceladas: 0,
  movidas: 0,
  pode_desfazer: false,
} as Vacation;
const free = { sessoes: [], alunos_com_creditos: 0, dias: 11, dias_iguais: true };

it.each<[string, unknown, [string, string?]]>([
  ['are saved', { versao: 2 }, ['Horários salvos', 'Suas configurações foram atualizadas com sucesso.']],
  ['cannot be saved', TROUBLE, ['Erro ao salvar', 'Ocorreu um erro inesperado.']],
])('hours %s', async (_, answer, words) => {
  const user = open(<WeekPanel onDone={() => undefined} />, {
    answers: {
      'GET /availability': { horarios: [], versao: 1, excecoes: [] },
      'PUT /availability': answer,
    },
  });
  await user.click(await button('Salvar'));
  expect(await said()).toEqual(words);
});

it('a vacation cannot begin before its sessions are shown', async () => {
  let show: (preview: typeof free) => void = () => undefined;
  const shown = new Promise<typeof free>((resolve) => (show = resolve));
  const user = open(<VacationPanel />, { answers: { 'GET /preview': () => shown } });
  await user.type(await field('Data de início'), '21/12/2026');
  await user.type(await field('Data de término'), '31/12/2026');
  const begin = await button('Ativar férias');
  expect(begin.hasAttribute('disabled')).toBe(true);
  show(free);
  await screen.findByText('Nenhuma sessão agendada nesses dias.');
  expect(begin.hasAttribute('disabled')).toBe(false);
});

it.each<[string, string, string, unknown, [string, string?]]>([
  ...([
    [
      'begins',
      '21/12/2026',
      '31/12/2026',
      { id: ID },
      ['Modo férias ativado', 'Período bloqueado: 21/12/2026 a 31/12/2026'],
    ],
    [
      'cannot begin',
      '21/12/2026',
      '31/12/2026',
      TROUBLE,
      ['Erro ao ativar férias', 'Ocorreu um erro inesperado.'],
    ],
    [
      'needs both its days',
      '21/12/2026',
      '',
      TROUBLE,
      ['Campos obrigatórios', 'Preencha as datas de início e término.'],
    ],
    [
      'ends before it begins',
      '31/12/2026',
      '21/12/2026',
      TROUBLE,
      ['Datas inválidas', 'A data de início deve ser anterior à data de término.'],
    ],
  ] as [string, string, string, unknown, [string, string?]][]),
])('a vacation %s', async (_, from, to, answer, words) => {
  const user = open(<VacationPanel />, {
    answers: {
      'GET /vacations': NOTHING,
      'GET /preview': free,
      'POST /preview': free,
      'POST /vacations': answer,
    },
  });
  await user.type(await field('Data de início'), from);
  if (to) await user.type(await field('Data de término'), to);
  await user.click(await button('Ativar férias'));
  expect(await said()).toEqual(words);
});

it('a vacation that was undone offers no messages to the students', async () => {
  const hit = {
    id: ID,
    student_id: ID,
    student_nome: 'Ana Souza',
    inicio: '2026-12-21T10:00:00.000Z',
    fim: '2026-12-21T11:00:00.000Z',
    location_nome: null,
    destino: null,
  };
  const message = { student_id: ID, nome: 'Ana Souza', texto: 'Vou estar de férias.', link: null };
  const preview = { ...free, sessoes: [hit] };
  const user = open(<VacationPanel />, {
    answers: {
      'GET /vacations': NOTHING,
      'GET /preview': preview,
      'POST /preview': preview,
      'POST /vacations': { id: ID },
      'GET /messages': { items: [message] },
      'POST /undo': { id: ID, bloqueadas: 2 },
    },
  });
  await user.type(await field('Data de início'), '21/12/2026');
  await user.type(await field('Data de término'), '31/12/2026');
  await screen.findByText('Ana Souza');
  await user.click(await button('Ativar férias'));
  await screen.findByText('Vou estar de férias.');
  expect(await takeBack()).toBe('Modo férias ativado');
  await button('Ativar férias');
  expect(screen.queryByText('Vou estar de férias.')).toBeNull();
  await waitFor(async () =>
    expect(await said()).toEqual([
      'Férias desfeitas',
      'Sessões e créditos estão como antes. 2 sessões voltaram em horário bloqueado.',
    ]),
  );
});

it.each<[string, unknown, [string, string?]]>([
  ['is removed', { id: ID }, ['Período removido', 'O bloqueio foi desativado.']],
  ['cannot be removed', TROUBLE, ['Erro', 'Ocorreu um erro inesperado.']],
])('a vacation %s', async (_, answer, words) => {
  const user = open(<VacationPanel />, {
    answers: { 'GET /vacations': { items: [vacation] }, [`DELETE /vacations/${ID}`]: answer },
  });
  await user.click(await button('Remover'));
  expect(await said()).toEqual(words);
});

it('an exception cannot be removed', async () => {
  const horarios = [{ start_time: '08:00', end_time: '12:00', is_blocked: false }];
  const user = open(<Exceptions exceptions={[{ data: '2030-03-09', horarios }]} week={[]} />, {
    answers: { 'PUT /2030-03-09': TROUBLE },
  });
  await user.click(await button('Remover'));
  expect(await said()).toEqual(['Erro ao remover', 'Ocorreu um erro inesperado.']);
});

it('a holiday in another century shows an error at its date, and is added once that is corrected', async () => {
  const user = open(<HolidaysPage />, { answers: { 'POST /holidays': { id: ID } } });
  await user.type(await field('Nome'), 'Aniversário da cidade');
  const day = await field('Data');
  await user.type(day, '25/01/1800');
  await user.click(await button('Adicionar'));
  await screen.findByText('Informe uma data entre 1900 e 2100');
  await user.clear(day);
  await user.type(day, '25/01/2027');
  await user.click(await button('Adicionar'));
  expect(await said()).toEqual(['Feriado adicionado', 'Aniversário da cidade']);
});

const row = (day_of_week: number, start_time: string, end_time: string, is_blocked = false) => ({
  day_of_week,
  start_time,
  end_time,
  is_blocked,
});
const turn = async (day: string) => screen.findByRole('switch', { name: `${day}: atende` });

it('the week is edited in place: a pause, the same hours for other days, a day off', async () => {
  const sent: unknown[] = [];
  const user = open(<WeekPanel onDone={() => undefined} />, {
    answers: {
      'GET /availability': {
        horarios: [row(1, '06:00', '21:00'), row(6, '07:00', '13:00')],
        versao: 1,
        excecoes: [],
      },
      'PUT /availability': (body: unknown) => sent.push(body) && { versao: 2 },
    },
  });
  await user.click(await button('Segunda 6:00–21:00'));
  await user.click(await button('Pausa'));
  await button('Segunda 6:00–21:00 · pausa 12–13');
  const [tuesday] = await screen.findAllByRole('button', { name: 'Terça' });
  await user.click(tuesday!);
  await button('Terça 6:00–21:00 · pausa 12–13');
  expect(tuesday!.getAttribute('aria-pressed')).toBe('true');
  await user.click(await turn('Sábado'));
  await user.click(await button('Salvar'));
  const both = [1, 2].flatMap((day) => [row(day, '06:00', '21:00'), row(day, '12:00', '13:00', true)]);
  await waitFor(() => expect(sent).toEqual([{ horarios: both, versao: 1 }]));
});

it('a day that is switched off and on again has the hours that it had; one without any gets the usual ones', async () => {
  const user = open(<WeekPanel onDone={() => undefined} />, {
    answers: { 'GET /availability': { horarios: [row(1, '06:00', '21:00')], versao: 1, excecoes: [] } },
  });
  await user.click(await turn('Segunda'));
  expect(screen.queryByText('6:00–21:00')).toBeNull();
  await user.click(await turn('Segunda'));
  await button('Segunda 6:00–21:00');
  await user.click(await turn('Domingo'));
  await button('Domingo 8:00–18:00');
});

it('a week without an open day is not sent', async () => {
  const user = open(<WeekPanel onDone={() => undefined} />, {
    answers: { 'GET /availability': { horarios: [row(1, '06:00', '21:00')], versao: 1, excecoes: [] } },
  });
  await user.click(await turn('Segunda'));
  await user.click(await button('Salvar'));
  await screen.findByText('Deixe pelo menos um dia aberto. Para parar por um tempo, use o Modo Férias.');
});

it('a wrong hour is said in its day, also when the day is closed again', async () => {
  const user = open(<WeekPanel onDone={() => undefined} />, {
    answers: { 'GET /availability': { horarios: [row(1, '06:00', '21:00')], versao: 1, excecoes: [] } },
  });
  const monday = await button('Segunda 6:00–21:00');
  await user.click(monday);
  await user.clear(await field('Término'));
  await user.type(await field('Término'), '05:00');
  await user.click(monday);
  await screen.findByText('O término deve ser depois do início');
});

it('a day of the calendar is closed whole with one tap', async () => {
  const sent: unknown[] = [];
  const today = new Date().toLocaleDateString('sv', { timeZone: 'America/Sao_Paulo' });
  const user = open(<WeekPanel onDone={() => undefined} />, {
    answers: {
      'GET /availability': { horarios: [], versao: 1, excecoes: [] },
      [`PUT /exceptions/${today}`]: (body: unknown) => sent.push(body) && { versao: 1 },
    },
  });
  const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'full', timeZone: 'America/Sao_Paulo' }).format();
  await user.click(await button(day));
  await screen.findByText('normalmente 9:00–17:00');
  await user.click(await button('Fechar o dia todo'));
  expect(await said()).toEqual(['Exceção salva', 'hoje']);
  const whole = { start_time: '00:00', end_time: '24:00', is_blocked: true };
  expect(sent).toEqual([{ horarios: [whole], se_ainda: [] }]);
});
