/** What turns stored events of an earlier version into the next one, with what was different then. */
export const upcasters = {
  /** Sessions were of no series and of no group. */
  SessionBooked: { 1: (data: object) => ({ ...data, serie_id: null, ocorrencia: null, grupo_id: null }) },
};
