/** The date in São Paulo, which is yesterday's in the first three hours of a UTC day. */
export const dayOf = (moment = new Date()): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(moment);
