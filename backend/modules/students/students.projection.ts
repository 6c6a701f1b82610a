import { stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import { type ExistingStudent, student, type StudentState } from './student.js';

type StudentRow = ExistingStudent & { busca: string; criado_em: string };

/** Folded state of each student; removed students keep their row, so that they can be restored. */
export const students = stateProjection(student, {
  name: 'students',
  version: 4,
  topic: 'students',
  table: 'students',
  evolve(row: StudentRow | undefined, event) {
    const before: StudentState = row ?? student.initialState;
    const after = student.evolve(before, event);
    if (after.status === 'unknown') return null;
    const digits = [after.telefone, after.whatsapp].map((phone) => phone?.slice(1) ?? '');
    return {
      ...after,
      busca: searchable([after.nome ?? '', ...new Set(digits)].join(' ')),
      criado_em: row?.criado_em ?? event.recordedAt.toISOString(),
    };
  },
});
