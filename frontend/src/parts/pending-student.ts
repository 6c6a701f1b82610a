import type {
  KnownStudent,
  ListedStudent,
  Student,
  StudentChanges,
} from '../../../backend/modules/students/students.api.js';
import type { Waiting } from '../lib/outbox.js';
import { withEdits, type MaybePending } from '../lib/pending-over-server.js';
import { formatPhone } from '../../../backend/modules/students/phone-format.api.js';

export const STUDENT_EDIT = 'edit-students';

/** A student for display, with unsent edits. */
export type ShownStudent = KnownStudent & MaybePending;

/** A student with the edits in the outbox applied. */
export function studentWithEdits<Known extends Student | ListedStudent>(
  student: Known,
  writes: readonly Waiting[],
): Known & MaybePending {
  const edited = withEdits<Known>(student, writes, STUDENT_EDIT);
  if (edited.plano_id === student.plano_id) return edited;
  const chosen = writes.findLast(({ subject, body }) => subject === student.id && body && 'plano_id' in body);
  // The new plan's credits and price are not known here, so there is no renewal before the edit is sent.
  const plano = edited.plano_id && {
    id: edited.plano_id,
    nome: chosen?.shows?.plano_nome ?? '…',
    creditos: 0,
    valor: 0,
  };
  return { ...edited, plano: plano || null } as Known & MaybePending;
}

export const studentDraft = (id: string): string => `aluno.${id}`;

/** Form values of an edit that the server refused. */
export function editStudent({ subject, body }: Waiting) {
  const {
    telefone: _,
    whatsapp,
    emergencia_telefone,
    responsavel_telefone,
    mensalidade,
    ...rest
  } = body as StudentChanges;
  const phones: [string, string][] = Object.entries({ whatsapp, emergencia_telefone, responsavel_telefone })
    .filter(([, phone]) => phone !== undefined)
    .map(([name, phone]) => [name, formatPhone(phone ?? '')]);
  const texts = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, name === 'plano_id' ? value : (value ?? '')]),
  );
  return {
    to: `/alunos/edit/${subject}`,
    draft: studentDraft(subject),
    values: {
      ...texts,
      ...(mensalidade && {
        mensalidade: {
          desde: mensalidade.desde,
          vence_dia: String(mensalidade.vence_dia),
          primeiro: mensalidade.proporcional !== undefined,
        },
      }),
      ...(Object.fromEntries(phones) as Record<string, string>),
    },
  };
}
