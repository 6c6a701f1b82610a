import { Text } from '@mantine/core';
import type { KnownStudent } from '../../../../backend/modules/students/students.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { formatMoney } from '../../lib/money.js';

interface PlanChangeNoteProps {
  student: Pick<KnownStudent, 'plano_id' | 'creditos' | 'mensalidade'> | undefined;
  /** The chosen plan. */
  planId: string | null;
  /** Whether an agreement comes with it. */
  isAgreed: boolean;
}

/** Explains what happens to the remaining credits and to the agreement when another plan is saved. */
export function PlanChangeNote({ student, planId, isAgreed }: PlanChangeNoteProps) {
  if (!student?.plano_id || student.plano_id === planId) return null;
  const { creditos } = student;
  const left =
    creditos > 0
      ? `${creditos === 1 ? 'Resta' : 'Restam'} ${plural(creditos, 'crédito', 'créditos')} e nada se perde: ${creditos === 1 ? 'continua' : 'continuam'} com a mesma validade. `
      : '';
  const next = planId
    ? 'O plano novo vale a partir da próxima renovação.'
    : 'Sem plano, não há o que renovar.';
  return (
    <Text size="sm" c="dimmed" role="status">
      {left}
      {next} {monthlyInWords(student, isAgreed)}
    </Text>
  );
}

function monthlyInWords(
  { plano_id, mensalidade }: NonNullable<PlanChangeNoteProps['student']>,
  isAgreed: boolean,
): string {
  if (!mensalidade) return '';
  const price = formatMoney(mensalidade.valor);
  if (isAgreed) return `A mensalidade nova entra no lugar da de ${price} a partir da próxima cobrança.`;
  return mensalidade.plano_id === plano_id
    ? `A mensalidade de ${price} é encerrada; as cobranças já emitidas continuam.`
    : `A mensalidade de ${price} segue como está.`;
}
