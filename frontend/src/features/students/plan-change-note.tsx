import { Text } from '@mantine/core';
import type { Student } from '../../../../backend/modules/students/students.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';

interface PlanChangeNoteProps {
  student: Pick<Student, 'plano_id' | 'creditos'> | undefined;
  /** The chosen plan. */
  planId: string | null;
}

/** Explains what happens to the remaining credits when another plan is saved. */
export function PlanChangeNote({ student, planId }: PlanChangeNoteProps) {
  if (!student?.plano_id || student.plano_id === planId) return null;
  const { creditos } = student;
  const left =
    creditos > 0
      ? `${creditos === 1 ? 'Resta' : 'Restam'} ${plural(creditos, 'crédito', 'créditos')} e nada se perde: ${creditos === 1 ? 'continua valendo' : 'continuam valendo'} até a mesma data. `
      : '';
  const next = planId
    ? 'O plano novo vale a partir da próxima renovação.'
    : 'Sem plano, não há o que renovar.';
  return (
    <Text size="sm" c="dimmed" role="status">
      {left}
      {next} Uma mensalidade em andamento segue como está até você alterar em Pagamentos.
    </Text>
  );
}
