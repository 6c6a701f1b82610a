/** Address of a charge in the trainer's area. */
export const chargeAddress = (id: string): string => `/cobrancas?cobranca=${id}`;

/** Name in the address of a paid charge that opens the form of its receipt. */
export const RECEIPT = 'recibo';

interface ToCharge {
  id: string;
  student_id: string;
  /** The session's date in words. */
  date: string;
  sem_credito: boolean;
  /** Cents; null when it is unknown. */
  valor: number | null;
}

/** Address of a new charge's form, filled in for a session. */
export function sessionChargeAddress({ id, student_id, date, sem_credito, valor }: ToCharge): string {
  const query = new URLSearchParams({
    novo: 'cobranca',
    aluno: student_id,
    sessao: id,
    ...(valor !== null && { valor: String(valor) }),
    texto: `${sem_credito ? 'Sessão' : 'Taxa de cancelamento'} de ${date}`,
  });
  return `/cobrancas?${query.toString()}`;
}
