/** What turns stored events of an earlier version into the next one, with what was different then. */
export const upcasters = {
  /** Whether an offer was mailed was not recorded. It counts as mailed, so that nobody is told of old offers again. */
  WaitlistOffered: { 1: (data: object) => ({ ...data, por_email: true }) },
};
