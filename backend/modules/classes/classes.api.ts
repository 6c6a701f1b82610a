import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import {
  created,
  type ErrorTable,
  id,
  instant,
  rule,
  text,
  undoable,
} from '../../platform/http/common.api.js';

export const classErrors = {
  'classes.over': { status: 422, title: 'Só dá para abrir aulas que ainda vão acontecer' },
  'classes.not_weekly': { status: 422, title: 'Esta aula não se repete' },
  'classes.not_open': { status: 404, title: 'Esta aula não está mais aberta' },
  'classes.not_waiting': { status: 404, title: 'Você não está na fila desta aula' },
  'classes.full': { status: 409, title: 'Não há mais vagas nesta aula' },
  'classes.already_in': { status: 409, title: 'Você já está nesta aula' },
  'classes.busy': { status: 409, title: 'Você já tem outra aula neste horário' },
  'classes.seats_left': { status: 409, title: 'Há vaga nesta aula: agende' },
  'classes.queue_full': { status: 409, title: 'A fila desta aula está cheia' },
  'classes.too_late': { status: 422, title: 'O prazo para entrar nesta aula já passou' },
} as const satisfies ErrorTable;

const between = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

const fields = {
  aberta: z.boolean(),
  nome: text(1, 40, 'Dê um nome à turma'),
  /** The most students, those whom the trainer added included. */
  vagas: between(2, 50),
  /** Hours before the start until which students may book. */
  ate_horas: between(0, 72),
  /** With fewer students the class is cancelled by itself; null: it takes place with any number. */
  minimo_alunos: z.nullable(between(2, 50)),
  /** Hours before the start at which that is decided. */
  minimo_horas: between(1, 72),
};

export const classSettings = z
  .strictObject(fields)
  .check(
    rule(
      ({ minimo_alunos, vagas }) => minimo_alunos === null || minimo_alunos <= vagas,
      'O mínimo não pode passar das vagas',
      ['minimo_alunos'],
    ),
  );
export type ClassSettings = z.infer<typeof classSettings>;

/** Of this hour alone, or of all weekly ones; what is set for one hour counts before what is set for all. */
const classScope = z.enum(['so_esta', 'todas']);

export const classChange = z
  .strictObject({ ...undoable(fields), escopo: classScope })
  .check(
    rule(
      ({ minimo_alunos, vagas }) => minimo_alunos === null || minimo_alunos <= vagas,
      'O mínimo não pode passar das vagas',
      ['minimo_alunos'],
    ),
  );
export type ClassChange = z.infer<typeof classChange>;

/** What is set for a session's hour, and for how many hours each setting counts. */
export const classOfSession = z.object({
  so_esta: z.nullable(classSettings),
  todas: z.nullable(classSettings),
  /** How many hours are ahead of a weekly session; null where it does not recur. */
  aulas: z.nullable(z.int()),
  /** Who waits for a seat, in turn; `ate`: until when one is theirs. */
  fila: z.array(z.object({ student_id: id, nome: z.nullable(z.string()), ate: z.nullable(instant) })),
});
export type ClassOfSession = z.infer<typeof classOfSession>;

export const classesApi = {
  show: get('/sessions/:id/class', {
    summary: 'Mostra se alunos podem entrar no horário de uma sessão',
    answer: classOfSession,
  }),
  change: put('/sessions/:id/class', {
    summary: 'Abre ou fecha o horário de uma sessão para alunos',
    body: classChange,
    answer: z.extend(created, { id }),
  }),
};
