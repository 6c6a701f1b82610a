import { searchable } from '../../platform/searchable.api.js';
import { rowProjection } from '../../platform/projections/projection.js';
import { type ExistingStudent, student, type StudentEvent, type StudentState } from './student.js';

type StudentRow = ExistingStudent & { busca: string; criado_em: string };

/** Folded state of each student; removed students keep their row, so that they can be restored. */
export const students = rowProjection<StudentRow>({
  name: 'students',
  version: 4,
  topic: 'students',
  table: 'students',
  events: [
    'StudentRegistered',
    'StudentUpdated',
    'StudentDetailsChanged',
    'StudentTagged',
    'StudentArchived',
    'StudentRemoved',
    'StudentRestored',
  ] satisfies StudentEvent['type'][],
  keys: ({ data }) => [data.student_id as string],
  evolve(row, { type, data, recordedAt }) {
    const before: StudentState = row ?? student.initialState;
    const after = student.evolve(before, { type, data } as StudentEvent);
    if (after.status === 'unknown') return null;
    const digits = [after.telefone, after.whatsapp].map((phone) => phone?.slice(1) ?? '');
    return {
      ...after,
      busca: searchable([after.nome ?? '', ...new Set(digits)].join(' ')),
      criado_em: row?.criado_em ?? recordedAt.toISOString(),
    };
  },
});
