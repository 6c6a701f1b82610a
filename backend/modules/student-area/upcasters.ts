/** What turns stored events of an earlier version into the next one, with what was different then. */
export const upcasters = {
  /** A request cost what it cost when the trainer answered, whenever it was made. */
  SessionChangeRequested: { 1: (data: object) => ({ ...data, no_prazo: false }) },
  /** What the student's change left of the session was not recorded. */
  SessionChangedByStudent: { 1: (data: object) => ({ ...data, ficou: null }) },
};
