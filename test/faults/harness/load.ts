import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { addHours } from 'date-fns';
import type { Trainer } from '../../support/people.js';
import { rounds } from '../../support/rounds.js';
import type { History, SentCommand } from './history.js';

const RETRY_MS = 30;
/**
 * A client's pause between two commands: short while a test waits for commands and for a moment after it, long while it waits for
 * something else, because everything that is sent has to be checked.
 */
const PAUSE_MS = { short: 20, long: rounds(750, 250) };
const BUSY_MS = rounds(200, 1000);
const PATIENCE_MS = 180_000;
/** Percentage of attempts with an unknown outcome after which the command is never retried. */
const GIVEN_UP = 20;
const DAY_ONE = Date.UTC(2020, 0, 1);

/** The entities that a trainer's client knows, only from acknowledged commands. */
interface Known {
  trainer: Trainer;
  students: string[];
  /** Sessions that are neither done nor cancelled, as far as is known. */
  sessions: string[];
  transactions: string[];
  /** Number of hours after DAY_ONE that the client has tried to book. */
  hours: number;
}

type Choice = [method: string, path: string, body?: object, learn?: (id: string) => void];

/** Concurrent random commands of many trainers, each retried until it is answered. */
export class Load {
  private readonly known: Known[];
  private writers: Promise<unknown> | undefined;
  private isOver = true;
  private busyUntil = 0;

  constructor(
    trainers: readonly Trainer[],
    private readonly history: History,
    private readonly urls: () => readonly string[],
  ) {
    this.known = trainers.map((trainer) => ({
      trainer,
      students: [],
      sessions: [],
      transactions: [],
      hours: 0,
    }));
  }

  /** Starts a number of clients that write until `stop`. */
  start(clients: number): void {
    this.isOver = false;
    this.busyUntil = Date.now() + BUSY_MS;
    this.writers = Promise.all(
      Array.from({ length: clients }, async () => {
        while (!this.isOver) {
          await this.once(this.known[randomInt(this.known.length)]!);
          await delay(this.busyUntil > Date.now() ? PAUSE_MS.short : PAUSE_MS.long);
        }
      }),
    );
  }

  async stop(): Promise<void> {
    this.isOver = true;
    await this.writers;
  }

  /** Resolves when `more` further commands were acknowledged; throws if that takes too long. */
  async acknowledged(more: number): Promise<void> {
    const { commands } = this.history;
    const count = () => commands.filter(({ outcome }) => outcome === 'acknowledged').length;
    const wanted = count() + more;
    for (const end = Date.now() + PATIENCE_MS; count() < wanted; await delay(RETRY_MS)) {
      this.busyUntil = Date.now() + BUSY_MS;
      if (Date.now() < end) continue;
      const tried = commands.flatMap(({ attempts }) => attempts.slice(-1)).slice(-3);
      throw new Error(
        `${wanted - count()} of ${more} commands are not acknowledged: ${JSON.stringify(tried)}`,
      );
    }
  }

  /** Sends one command to one process after the other until it is answered, the load ends or it is abandoned. */
  private async once(known: Known): Promise<void> {
    const [method, path, body, learn] = choose(known);
    const command = this.history.command(known.trainer, method, path, body);
    for (let turn = randomInt(8); isOpen(command); turn += 1) {
      const urls = this.urls();
      await this.history.attempt(command, urls[turn % urls.length]!);
      if (command.outcome !== 'unknown') break;
      command.abandoned = randomInt(100) < GIVEN_UP;
      if (this.isOver || command.abandoned) break;
      await delay(RETRY_MS);
    }
    if (command.outcome === 'acknowledged') learn?.((command.acknowledged!.body as { id: string }).id);
  }
}

const isOpen = ({ outcome }: SentCommand) => outcome === 'sent' || outcome === 'unknown';
const oneOf = (ids: string[]) => ids[randomInt(ids.length)]!;
const taken = (ids: string[]) => ids.splice(randomInt(ids.length), 1)[0]!;

function choose(known: Known): Choice {
  const { students, sessions, transactions } = known;
  const dice = randomInt(100);
  if (students.length === 0 || dice < 5) {
    const body = { nome: `Aluno ${dice}`, telefone: '(11) 98765-4321' };
    return ['POST', '/students', body, (id) => students.push(id)];
  }
  if (dice < 25) {
    const body = { quantidade: randomInt(1, 4), motivo: 'pacote' };
    return ['POST', `/students/${oneOf(students)}/credits/adjust`, body];
  }
  if (dice < 35) return ['POST', `/students/${oneOf(students)}/credits/consume`, { motivo: 'aula avulsa' }];
  if (dice < 40) return ['PATCH', `/students/${oneOf(students)}`, { nome: `Aluno ${randomInt(1_000_000)}` }];
  if (dice < 60) return book(known);
  if (dice < 75 && sessions.length > 0) return ['POST', `/sessions/${taken(sessions)}/complete`];
  if (dice < 80 && sessions.length > 0)
    return ['POST', `/sessions/${taken(sessions)}/cancel`, { motivo: 'personal' }];
  if (dice < 85 && transactions.length > 0)
    return ['POST', `/transactions/${taken(transactions)}/reverse`, { motivo: 'em dobro' }];
  const body = {
    tipo: dice < 95 ? 'receita' : 'despesa',
    descricao: 'Mensalidade',
    metodo_pagamento: 'pix',
    valor: randomInt(1, 100_000),
    data: '2026-01-15',
  };
  return ['POST', '/transactions', body, (id) => transactions.push(id)];
}

/** Books mostly a new hour; sometimes one that is taken, with or without `permitir_conflito`. */
function book(known: Known): Choice {
  const dice = randomInt(10);
  if (dice > 1 || known.hours === 0) known.hours += 1;
  const inicio = addHours(DAY_ONE, dice > 1 ? known.hours : randomInt(known.hours));
  const body = {
    student_id: oneOf(known.students),
    inicio: inicio.toISOString(),
    fim: addHours(inicio, 1).toISOString(),
    permitir_conflito: dice === 0,
  };
  return ['POST', '/sessions', body, (id) => known.sessions.push(id)];
}
