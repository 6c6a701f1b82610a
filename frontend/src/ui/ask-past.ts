/** What opens the sheet that chooses a past moment. */
export const ASK_PAST = 'Ver como estava em…';
