/** In the trainer's time zone. */
export function inZone(zone: string, at: string): string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', timeZone: zone } as const;
  const date = new Date(at);
  const clock = date.toLocaleTimeString('pt-BR', { hour: 'numeric', minute: '2-digit', timeZone: zone });
  return `${date.toLocaleDateString('pt-BR', day)}, ${clock.replace(/^0(?=\d)/, '')}`;
}
