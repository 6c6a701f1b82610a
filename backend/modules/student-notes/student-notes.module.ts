import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import { shortDate } from '../../platform/portuguese.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { reassignedWords } from '../students/reassigned.js';
import {
  studentNote,
  type KnownNote,
  type StudentNoteEvent,
  decideChange,
  decideRemove,
  decideRestore,
  decideWrite,
  knownNote,
} from './student-note.js';
import {
  studentNotesApi,
  studentNoteErrors,
  type StudentNoteList,
  type StudentNotePage,
  type NewStudentNote,
  type StudentNoteChanges,
} from './student-notes.api.js';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { calendarDate, id, instant } from '../../platform/http/common.api.js';
import { decodeCursor, encodeCursor } from '../../platform/http/cursor.js';
import { Problem } from '../../platform/http/problem.js';
import { PastTables, type WantedTables } from '../../platform/projections/past-tables.js';
import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { existingStudent, student } from '../students/student.js';

const WriteStudentNote = defineCommand(
  'WriteStudentNote',
  async (tx, student_id: string, fields: NewStudentNote) => {
    existingStudent(await tx.load(student, student_id));
    const note_id = randomUUID();
    tx.append(studentNote, note_id, decideWrite({ note_id, student_id }, fields));
    return { id: note_id };
  },
);

const ChangeStudentNote = defineCommand(
  'ChangeStudentNote',
  async (tx, id: string, changes: StudentNoteChanges) => {
    tx.append(studentNote, id, decideChange(await loadNote(tx, id), changes));
    return { id };
  },
);

const RemoveStudentNote = defineCommand('RemoveStudentNote', async (tx, id: string) => {
  tx.append(studentNote, id, decideRemove(await loadNote(tx, id)));
  return { id };
});

const RestoreStudentNote = defineCommand('RestoreStudentNote', async (tx, id: string) => {
  tx.append(studentNote, id, decideRestore(await loadNote(tx, id)));
  return { id };
});

/** A note whose student exists and was not forgotten. */
async function loadNote(tx: CommandTransaction, id: string) {
  const note = knownNote(await tx.load(studentNote, id));
  existingStudent(await tx.load(student, note.student_id));
  return note;
}

const place = z.tuple([calendarDate, instant, id]);

const ListStudentNotes = defineQuery(
  'ListStudentNotes',
  { past: PastTables },
  async ({ context }, { past }, studentId: string, list: StudentNoteList): Promise<StudentNotePage> => {
    const { limit, cursor, at } = list;
    const { read } = await past.at(context.tenantId, at, notesOf(studentId));
    const [dia, written, last] = cursor === undefined ? [] : decodeCursor(place, cursor);
    const asked = { studentId, dia, written, last, limit: limit + 1 };
    const rows = await read(latest(asked));
    if (rows.length === 0) throw new Problem(at === undefined ? 'students.not_found' : 'past.not_there');
    const found = rows.flatMap(({ id, dia, texto, criado_em }) =>
      id === null ? [] : [{ id, dia: dia!, texto: texto!, criado_em: new Date(criado_em!).toISOString() }],
    );
    const items = found.slice(0, limit);
    const end = items.at(-1);
    const next = found.length > limit && end ? encodeCursor([end.dia, end.criado_em, end.id]) : null;
    return { at, items, next };
  },
);

/** Notes are those that were about the student at any time. */
const notesOf = (studentId: string): WantedTables => ({
  tables: ['student_notes', 'students'],
  inClear: true,
  only: [{ of: 'student_notes', field: 'student_id', first: studentId, last: studentId, streams: true }],
});

interface Asked {
  studentId: string;
  /** Last row of the previous page. */
  dia?: string | undefined;
  written?: string | undefined;
  last?: string | undefined;
  limit: number;
}

/** A student's notes; one row with nulls for a student without notes. */
const latest = statement((db, { studentId, dia, written, last, limit }: Blanks<Asked>) =>
  db
    .selectFrom('students as s')
    .leftJoin('student_notes as n', (join) => {
      const standing = join
        .onRef('n.tenant_id', '=', 's.tenant_id')
        .onRef('n.student_id', '=', 's.id')
        .on('n.removed', '=', false)
        .on('n.texto', 'is not', null);
      return last === undefined
        ? standing
        : standing.on(
            sql<boolean>`(n.dia, n.criado_em, n.id) < (${dia!}::date, ${written!}::timestamptz, ${last}::uuid)`,
          );
    })
    .select(['n.id', 'n.dia', 'n.texto', 'n.criado_em'])
    .where('s.id', '=', studentId)
    .where('s.status', '<>', 'removed')
    .orderBy('n.dia', 'desc')
    .orderBy('n.criado_em', 'desc')
    .orderBy('n.id', 'desc')
    .limit(limit)
    .compile(),
);

const subjects = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const quoted = (texto: string | null) => (texto === null ? '' : `: “${texto}”`);

const studentNoteHistory: HistoryWords<StudentNoteEvent> = {
  StudentNoteWritten: {
    subjects,
    words: ({ dia, texto }) => `Fez a anotação de ${shortDate(dia)}${quoted(texto)}`,
  },
  StudentNoteChanged: {
    subjects,
    words: ({ dia, texto }) =>
      `Alterou uma anotação${dia === undefined ? '' : `, agora de ${shortDate(dia)}`}${quoted(texto ?? null)}`,
  },
  StudentNoteRemoved: { subjects, words: () => 'Excluiu uma anotação' },
  StudentNoteReassigned: { subjects: () => [], words: reassignedWords },
  StudentNoteRestored: { subjects, words: () => 'Desfez a exclusão de uma anotação' },
};

type NoteRow = KnownNote & { criado_em: string };

/** Folded state of each note; removed notes keep their row, so that they can be restored. Students get no hints about them. */
const studentNotes = stateProjection(studentNote, {
  name: 'student-notes',
  topic: 'student-notes',
  table: 'student_notes',
  evolve(row: NoteRow | undefined, event) {
    const after = studentNote.evolve(row, event);
    if (!after) return null;
    return { ...after, criado_em: row?.criado_em ?? event.recordedAt.toISOString() };
  },
});

/**
 * The trainer's notes about students (`student-notes`, and tags in `students`) are encrypted with the student's key, are not
 * stored on the device, and are in no answer to a student, including the student's data export.
 */
@Module(
  serve(studentNotesApi, {
    list: ListStudentNotes,
    write: WriteStudentNote,
    change: ChangeStudentNote,
    remove: RemoveStudentNote,
    restore: RestoreStudentNote,
  }),
)
export class StudentNotesModule {
  static readonly feature: Feature = {
    aggregates: [studentNote],
    projections: [studentNotes],
    history: studentNoteHistory,
    ownData: {
      sheets: {
        'anotacoes-de-alunos': `select n.id, n.student_id, a.nome as aluno, n.dia, n.texto, n.removed as excluida, n.criado_em
          from student_notes n left join students a on a.tenant_id = n.tenant_id and a.id = n.student_id
          order by n.dia, n.criado_em, n.id`,
      },
    },
    errors: studentNoteErrors,
  };
}
