/** Codes of refused times. The refusals list the nearest free times in `livres`, and the trainer may overrule them. */
export const timeRefusals: readonly string[] = [
  'agenda.overlap',
  'agenda.on_vacation',
  'agenda.blocked',
  'agenda.outside_hours',
  'agenda.other_calendar',
];
