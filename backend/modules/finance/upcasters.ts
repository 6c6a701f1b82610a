/** What turns stored events of an earlier version into the next one, with what was different then. */
export const upcasters = {
  /** An entry was nobody's, had no category, and corrected no other one. */
  TransactionRecorded: {
    1: (data: object) => ({ ...data, student_id: null, categoria: null, corrige_id: null }),
  },
  /** Nor had a reversal a reason, or an entry in its place. */
  TransactionReversed: {
    1: (data: object) => ({ ...data, student_id: null, categoria: null, motivo: null, corrigida_por: null }),
  },
};
