/** The day in São Paulo, which is yesterday's in the first hours of a day of UTC. */
export const dayOf = (moment = new Date()): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(moment);
