/** An instant with its time zone: `26/11/2026, 7:05:09 GMT-3`. */
export const exactMoment = (instant: string): string =>
  new Date(instant).toLocaleString('pt-BR', {
    ...{ day: '2-digit', month: '2-digit', year: 'numeric' },
    ...{ hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'shortOffset' },
  });
