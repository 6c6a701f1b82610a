/** The texts were not encrypted; the shape is the same. */
const inClear = { 1: (data: object) => data };

/** What turns stored events of an earlier version into the next one, with what was different then. */
export const upcasters = {
  PlanCreated: inClear,
  PlanUpdated: inClear,
};
