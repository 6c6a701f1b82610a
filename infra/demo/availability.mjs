const DAY = 86_400_000;
/** São Paulo has been three hours behind UTC all year since 2019. */
const UTC_OFFSET_HOURS = 3;

const stretch = (start_time, end_time, is_blocked = false) => ({ start_time, end_time, is_blocked });

/** Monday to Friday with a lunch break, and Saturday morning. */
export const week = [
  ...[1, 2, 3, 4, 5].flatMap((day_of_week) => [
    { day_of_week, ...stretch('06:00', '21:00') },
    { day_of_week, ...stretch('12:00', '13:00', true) },
  ]),
  { day_of_week: 6, ...stretch('07:00', '13:00') },
];

/** The hour after the last session of the next Saturday; a group of three gets it. */
export function nextSaturday(now) {
  const today = new Date(now - UTC_OFFSET_HOURS * 3_600_000);
  const saturday = today.getTime() + ((6 - today.getUTCDay() + 7) % 7 || 7) * DAY;
  const midnight = Math.floor(saturday / DAY) * DAY + UTC_OFFSET_HOURS * 3_600_000;
  const at = (hour) => new Date(midnight + hour * 3_600_000).toISOString();
  return { inicio: at(12), fim: at(13) };
}

/**
 * Exceptions from the week: the afternoon of next week's Wednesday is blocked, and a vacation of ten days begins on a Monday
 * after the last session.
 */
export function inventTimeOff(now) {
  const today = new Date(now - UTC_OFFSET_HOURS * 3_600_000);
  /** The date a number of days after the Sunday that begins this week. */
  const day = (days) =>
    new Date(today.getTime() + (days - today.getUTCDay()) * DAY).toISOString().slice(0, 10);
  return {
    exception: { data: day(7 + 3), horarios: [stretch('15:00', '18:00', true)] },
    vacation: { start_date: day(6 * 7 + 1), end_date: day(6 * 7 + 10), description: 'Viagem com a família' },
    holiday: { nome: 'Aniversário do studio', data: day(3 * 7 + 6), anual: true },
  };
}
