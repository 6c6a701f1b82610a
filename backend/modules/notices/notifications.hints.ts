import type { Projected } from '../../platform/projections/projected.js';

const TOPICS: ReadonlySet<string> = new Set(['notifications']);

interface Reader {
  para: 'personal' | 'aluno';
  student_id: string;
}

/** The hint that a reader's notifications have changed, which are in no event. */
export const hintTo = ({ para, student_id }: Reader, tenantId: string): Projected => ({
  tenantId,
  position: 0,
  topics: new Set(para === 'personal' ? TOPICS : []),
  students: new Map(para === 'aluno' ? [[student_id, new Set(TOPICS)]] : []),
});
