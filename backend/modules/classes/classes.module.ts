import { Module } from '@nestjs/common';
import type { HistoryWords } from '../../platform/event-store/history.js';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { plural } from '../../platform/plural.api.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { classErrors, classesApi } from './classes.api.js';
import { DecideClass, SetClass } from './classes.commands.js';
import { ClassesJob, decideClasses } from './classes.job.js';
import { ShowClass } from './classes.queries.js';
import { type ClassEvent, openClass } from './open-class.js';

type DataOf<Type extends ClassEvent['type']> = Extract<ClassEvent, { type: Type }>['data'];

const classHistory: HistoryWords<ClassEvent> = {
  ClassSet: {
    subjects: ({ session_id }: DataOf<'ClassSet'>) => [`session:${session_id}`],
    words: ({ aberta, nome, vagas, minimo_alunos }: DataOf<'ClassSet'>) =>
      aberta
        ? [
            `Abriu ${nome === null ? 'a turma' : `a turma ${nome}`} para alunos: ${plural(vagas, 'vaga', 'vagas')}`,
            minimo_alunos !== null && `mínimo de ${plural(minimo_alunos, 'aluno', 'alunos')}`,
          ]
            .filter(Boolean)
            .join(', ')
        : `Fechou ${nome === null ? 'a turma' : `a turma ${nome}`} para alunos`,
  },
  ClassDecided: {
    subjects: ({ session_ids }: DataOf<'ClassDecided'>) => session_ids.map((id) => `session:${id}`),
    words: ({ acontece, session_ids, minimo }: DataOf<'ClassDecided'>) =>
      `${acontece ? 'A aula foi mantida' : 'A aula foi cancelada'}: ${plural(session_ids.length, 'aluno', 'alunos')}, mínimo de ${minimo}`,
  },
};

/** Each class under its id: the group of one hour, or what weekly hours have in common. */
const classes = stateProjection(openClass, {
  name: 'classes',
  topic: 'sessions',
  table: 'classes',
  students: 'all',
});

/**
 * Hours that students enter by themselves, with seats. An hour is that of sessions of a group (`agenda`); a class says only that it
 * is open, for how many, until when, and how many it needs. It stands for one hour (its group) or for all that series share (their
 * `turma_id`), and the former counts first. An hour in which nobody is left is none: its time is free. Students enter in their area
 * (`seats.commands.ts` of `student-area`), by the rules of their other bookings, and leave by the policy as from any session. The
 * trainer may add more than there are seats. A minimum is decided once (`ClassDecided`), at the time that was set: with fewer, the
 * hour is cancelled as by the trainer, without cost, and everybody is told.
 *
 * Strangers see no classes on the public page: a visit is unconfirmed and asks for one free time of its own, while a seat takes a
 * credit of somebody whom the trainer knows.
 */
@Module(
  together(serve(classesApi, { show: ShowClass, change: SetClass }), {
    providers: [DecideClass.Handler, ClassesJob],
  }),
)
export class ClassesModule {
  static readonly feature: Feature = {
    aggregates: [openClass],
    projections: [classes],
    history: classHistory,
    ownData: {
      trainer: {
        turmas: `select id, nome, aberta, vagas, ate_horas, minimo_alunos, minimo_horas, em from classes order by em, id`,
      },
    },
    errors: classErrors,
    jobs: [decideClasses],
  };
}
