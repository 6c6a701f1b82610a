import { randomUUID } from 'node:crypto';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The reads of a busy hour, with their weights. */
const READS = [
  [35, 'sessões da semana', () => `/sessions?from=${iso(-3 * DAY)}&to=${iso(4 * DAY)}&limit=100`],
  [20, 'painel', () => '/dashboard'],
  [15, 'lista de alunos', () => '/students'],
  [12, 'um aluno', ({ students }) => `/students/${anyOf(students)}`],
  [6, 'créditos de um aluno', ({ students }) => `/students/${anyOf(students)}/credits`],
  [7, 'mês', () => `/finance/months/${iso(0).slice(0, 7)}`],
  [5, 'transações do mês', () => `/transactions?month=${iso(0).slice(0, 7)}`],
];

/** The commands of a busy hour, with their weights. */
const COMMANDS = [
  [40, 'agendar', book],
  [30, 'marcar como feita', complete],
  [
    15,
    'ajustar créditos',
    ({ students }) => [`/students/${anyOf(students)}/credits/adjust`, { quantidade: 1, motivo: 'Cortesia' }],
  ],
  [
    15,
    'lançar transação',
    () => [
      '/transactions',
      {
        tipo: 'receita',
        descricao: 'Aula avulsa',
        valor: 9000,
        metodo_pagamento: 'pix',
        data: iso(-86_400_000).slice(0, 10),
      },
    ],
  ],
];

/** A random read of a trainer: `{ kind, text }`. `after`: the position that the answer must include. */
export function read(trainer, after) {
  const [, kind, path] = weighted(READS);
  const own = after === undefined ? '' : `rende-after: ${after}\r\n`;
  return { kind, text: `GET /api/v1${path(trainer)} HTTP/1.1\r\n${head(trainer)}${own}\r\n` };
}

export function command(trainer) {
  const [, kind, make] = weighted(COMMANDS);
  const [path, body] = make(trainer);
  const json = JSON.stringify(body);
  const own = `idempotency-key: ${randomUUID()}\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n`;
  return { kind, text: `POST /api/v1${path} HTTP/1.1\r\n${head(trainer)}${own}\r\n${json}` };
}

/** Returns a function that draws a trainer by the Zipf–Mandelbrot law: the first ones in the list are drawn most often. */
export function unevenly(trainers) {
  let sum = 0;
  const upTo = trainers.map((_, rank) => (sum += 1 / (rank + 10)));
  return () => {
    const at = Math.random() * sum;
    let [low, high] = [0, upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (upTo[middle] < at) low = middle + 1;
      else high = middle;
    }
    return trainers[low];
  };
}

/** Books a free hour: the trainer's next one after everything in the agenda, at least two months ahead. */
function book(trainer) {
  trainer.freeFrom = Math.max(trainer.freeFrom, Date.now() + 60 * DAY) + HOUR;
  const start = Math.ceil(trainer.freeFrom / HOUR) * HOUR;
  return [
    '/sessions',
    {
      student_id: anyOf(trainer.students),
      inicio: new Date(start).toISOString(),
      fim: new Date(start + HOUR).toISOString(),
    },
  ];
}

/** Completes the next scheduled session; books one if none is left. */
function complete(trainer) {
  const session = trainer.scheduled.pop();
  return session ? [`/sessions/${session}/complete`, {}] : book(trainer);
}

function head({ token }) {
  return `host: localhost\r\nauthorization: Bearer ${token}\r\n`;
}

function iso(fromNow) {
  return new Date(Date.now() + fromNow).toISOString();
}

function weighted(list) {
  let at = Math.random() * list.reduce((sum, [share]) => sum + share, 0);
  return list.find(([share]) => (at -= share) < 0) ?? list.at(-1);
}

function anyOf(list) {
  return list[Math.floor(Math.random() * list.length)];
}
